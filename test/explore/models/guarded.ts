// Guarded commands over small numbers: the shortest way to write a toy model. What an action reads and writes is
// written down for who reads the model.
import type {Model} from '../../../src/explore/model.ts';

export type Values = Readonly<Record<string, number>>;

export interface Command {
  readonly key: string;
  readonly reads?: readonly string[];
  readonly writes: readonly string[];
  readonly when: (values: Values) => boolean;
  readonly effect: (values: Values) => Values;
  readonly cost?: string;
  readonly weight?: number;
}

export interface GuardedModel extends Model<Values, Command> {
  readonly commands: readonly Command[];
}

/** Every variable starts at its value in `start`. */
export function guarded(start: Values, commands: readonly Command[]): GuardedModel {
  const names = Object.keys(start);
  return {
    commands,
    initial: () => start,
    actions: (values) => commands.filter((command) => command.when(values)),
    next: (values, command) => ({...values, ...command.effect(values)}),
    fingerprint: (values) => names.map((name) => values[name]).join(),
    key: (command) => command.key,
    describe: (command, values) => `${command.key} at ${names.map((name) => `${name}=${values[name]}`).join(' ')}`,
    cost: (command) => command.cost,
    weight: (command) => command.weight ?? 1,
  };
}
