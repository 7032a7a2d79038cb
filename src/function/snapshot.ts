// A decoded request as the policy core sees it. Views read the request's bytes when asked and remember only the four
// strings that every part of the policy asks for again and again.

import type {Json, JsonObject, Path} from '../lifecycle/json.ts';
import type {DesiredView, Ready, ResourceView, Snapshot} from '../lifecycle/snapshot.ts';
import type {RequestMessage} from '../wire/request-decode.ts';
import {type ResourceMessage, readyFalse, readyTrue} from '../wire/resource-message.ts';
import {decodeStruct} from '../wire/struct-decode.ts';
import {StructView} from '../wire/struct-view.ts';
import {atPlace} from '../wire/wire-error.ts';

/** The policy's view of a request whose observed XR is `xr`. */
export function snapshotOf(request: RequestMessage, xr: ResourceMessage): Snapshot {
  return {
    xr: new View(xr),
    observed: mapValues(request.observed.resources, (resource): ResourceView => new View(resource)),
    desired: mapValues(request.desired.resources, (resource): DesiredView => new View(resource)),
    required: answersOf(request),
    desiredXr: request.desired.composite === undefined ? undefined : new View(request.desired.composite),
    context: contextOf(request),
  };
}

// The context is seldom read, and then a field or two of it.
function contextOf({context}: RequestMessage): Snapshot['context'] {
  if (context === undefined) return () => undefined;
  const view = new StructView(context.bytes, context.start, context.end);
  return (path) => {
    try {
      return path.length === 0 ? decodeStruct(context) : view.field(path);
    } catch (error) {
      throw atPlace('context', error);
    }
  };
}

class View implements DesiredView {
  private readonly message: ResourceMessage;
  private readonly texts: (string | undefined)[] = [];

  constructor(message: ResourceMessage) {
    this.message = message;
  }

  get apiVersion(): string {
    return this.text(0);
  }

  get kind(): string {
    return this.text(1);
  }

  get name(): string {
    return this.text(2);
  }

  get namespace(): string {
    return this.text(3);
  }

  get ready(): Ready {
    const {ready} = this.message;
    return ready === readyTrue ? 'true' : ready === readyFalse ? 'false' : 'unspecified';
  }

  field(path: Path): Json | undefined {
    return path.length === 0 ? this.message.json() : this.message.field(path);
  }

  json(): JsonObject {
    return this.message.json();
  }

  private text(index: number): string {
    const known = this.texts[index];
    if (known !== undefined) return known;
    const value = this.message.field(textPaths[index] as Path);
    const text = typeof value === 'string' ? value : '';
    this.texts[index] = text;
    return text;
  }
}

const textPaths: readonly Path[] = [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']];

// Crossplane before v2 answers in extra_resources, those after it in required_resources; between them it is both.
export function answersOf(request: RequestMessage): ReadonlyMap<string, readonly ResourceView[]> {
  const answers = new Map<string, readonly ResourceView[]>();
  for (const found of [request.extraResources, request.requiredResources]) {
    for (const [name, items] of found) {
      answers.set(
        name,
        items.map((item) => new View(item)),
      );
    }
  }
  return answers;
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): ReadonlyMap<string, U> {
  const changed = new Map<string, U>();
  for (const [key, value] of map) changed.set(key, change(value));
  return changed;
}
