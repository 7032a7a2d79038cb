# syntax=docker/dockerfile:1

# The function's image: Node without a shell, one bundled file, a user without rights. It writes nothing, so it runs with
# a read-only root file system. Nothing in it is compiled for a processor but Node itself: the first stage runs on the
# machine that builds, for every architecture the last stage exists for.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=... --build-arg REVISION=... .

FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --ignore-scripts --no-audit --no-fund
COPY LICENSE tsconfig.json ./
COPY src/ src/
COPY package/bundle.ts package/
RUN node package/bundle.ts dist/image

FROM gcr.io/distroless/nodejs24-debian13:nonroot AS image
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="function-tether" \
      org.opencontainers.image.description="A Crossplane composition function that makes removal, restore and deletion order safe." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /build/dist/image/ /function/
WORKDIR /function
USER 65532:65532
# RunFunction, and metrics where a runtime configuration says --metrics-address=:8080. Flags of `tether serve` follow.
EXPOSE 9443 8080
# A small young generation: about 100 MB less resident memory with large requests, at the same speed. And an old one that
# may grow to three times of what lives before all of it is marked: V8 counts the bytes of messages as growth, and would
# mark everything after every few large calls.
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=8", "--heap-growing-percent=200", "/function/function.mjs"]
