// How much a caller may send before it has to wait for word that it was read.
//
// HTTP/2 begins with 64 KiB (RFC 9113 6.9.2), Node keeps that, and grpc-js lets a client alone say otherwise (1.14
// transport.js, 'grpc-node.flow_control_window'). A request of a hundred resources is ten times that: its caller stops ten
// times, and each time waits as long as the network takes to and fro. So a connection is widened where its first call
// begins, as the earliest that Node tells of it; from Node 24.2 on, and before that it stays as narrow as it was.
//
// No caller has more kept here by it: what arrives is read at once, window or not, up to the largest request.

import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Http2Session, Http2Stream} from 'node:http2';

const callBegins = 'http2.server.stream.created';
/** Of each call and of all calls of a connection together: what a network of 10 Gbit/s carries in 0.8 ms. More is no faster. */
const windowBytes = 1024 * 1024;

/** Widens every connection on which a call begins. Returns how to stop that. */
export function widenReceiveWindows(): () => void {
  const wide = new WeakSet<Http2Session>();
  const widen = (message: unknown) => {
    const {session} = (message as {readonly stream: Http2Stream}).stream;
    if (session === undefined || session.destroyed || wide.has(session)) return;
    wide.add(session);
    session.settings({initialWindowSize: windowBytes});
    session.setLocalWindowSize(windowBytes);
  };
  subscribe(callBegins, widen);
  return () => unsubscribe(callBegins, widen);
}
