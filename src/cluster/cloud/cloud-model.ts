// The cloud as the kernel sees it: a state machine that begins a request at once and answers it later, whether or not
// the caller still lives, as real clouds do.

import type {JsonObject} from '../json.ts';
import type {CloudRequest} from './cloud-protocol.ts';
import type {CloudLedger} from './ledger-state.ts';

export interface CloudModel {
  readonly initial: CloudLedger;
  /** Takes the request in. `ticket` names it in `finish`; `answerAfterMs` is how long the caller waits. */
  readonly begin: (
    state: CloudLedger,
    request: CloudRequest,
    ticket: string,
    nowMs: number,
  ) => {readonly state: CloudLedger; readonly answerAfterMs: number};
  /** Answers the request. Called exactly once per `begin`, also where the caller is gone. */
  readonly finish: (
    state: CloudLedger,
    ticket: string,
    nowMs: number,
  ) => {readonly state: CloudLedger; readonly reply: JsonObject};
}
