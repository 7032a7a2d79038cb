// Widens the receive window of connections: the bytes that a caller may send before the server has confirmed them.
//
// HTTP/2 begins with 64 KiB (RFC 9113 6.9.2), Node keeps that, and only clients of grpc-js can change it (1.14 transport.js,
// 'grpc-node.flow_control_window'). A request of a hundred resources is ten times that: its caller would stop ten times, each time for
// a round trip. Node announces the first call of a connection, from 24.2 on, and the window is widened then. Before 24.2 it stays
// narrow.
//
// A call that waits to be read (open-calls.ts) holds that much memory. One that is read is in memory whole in any case.

import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Http2Session, Http2Stream} from 'node:http2';

const callBegins = 'http2.server.stream.created';
/** Of each call and of all calls of a connection together: what a network of 10 Gbit/s carries in 0.8 ms. Callers of grpc-go gain, too; more than that slows several of them down. */
const windowBytes = 1024 * 1024;

/** Of all servers of the process: Node announces the calls of each to all. */
const wide = new WeakSet<Http2Session>();

/** Widens every connection on which a call begins. Returns how to stop that. */
export function widenReceiveWindows(): () => void {
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
