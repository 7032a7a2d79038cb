import {describe, expect, test} from 'vitest';
import {readPlaces} from '../../../src/harness/functions/said-places.ts';

const called = ['function-tether', 'crossplane-contrib-function-auto-ready'];
const read = (...given: string[]) => readPlaces(given, {called, builtins: ['passing']});
const place = (text: string) => read(`function-tether=${text}`)['function-tether'];

describe('--function', () => {
  test.each([
    ['localhost:9443', 'localhost:9443'],
    ['dns:///functions.example.org:9443', 'functions.example.org:9443'],
  ])('takes %s for an address', (text, address) => {
    expect(place(text)).toEqual({kind: 'address', address});
  });

  test.each([
    ['bin/fn', ['bin/fn', '--insecure', '--address', '127.0.0.1:{port}'], '127.0.0.1:{port}'],
    ['node fn.ts --listen {port}', ['node', 'fn.ts', '--listen', '{port}'], '127.0.0.1:{port}'],
    ['fn --address :9000', ['fn', '--address', ':9000'], '127.0.0.1:9000'],
  ])('takes %s for a command, which gets a port where it has none', (text, command, address) => {
    expect(place(text)).toEqual({kind: 'command', command, address});
  });

  test('takes the name of one that runs in this process for that one', () => {
    expect(place('passing')).toEqual({kind: 'builtin', name: 'passing'});
    expect(place('./passing')).toMatchObject({kind: 'command'});
  });

  test('names a function as Compositions do, or as that ends', () => {
    expect(Object.keys(read('function-auto-ready=localhost:1'))).toEqual(['crossplane-contrib-function-auto-ready']);
  });

  test.each([
    [['function-auto-ready=a:1', 'crossplane-contrib-function-auto-ready=b:1']],
    [['crossplane-contrib-function-auto-ready=b:1', 'function-auto-ready=a:1']],
  ])('takes the place of the whole name where its end is given, too: %j', (given) => {
    const ofWhole = {kind: 'address', address: 'b:1'};
    expect(read(...given)).toEqual({'crossplane-contrib-function-auto-ready': ofWhole});
  });

  test.each([
    [['function-tether'], '--function must look like NAME=HOST:PORT or NAME=COMMAND, got "function-tether"'],
    [['function-tether= '], '--function must look like NAME=HOST:PORT or NAME=COMMAND, got "function-tether= "'],
    [
      ['function-teher=localhost:1'],
      '--function names "function-teher", which no pipeline calls: pipelines call crossplane-contrib-function-auto-ready, function-tether',
    ],
    [
      ['function-auto-ready=a:1', 'function-auto-ready=b:1'],
      '--function must say once where "crossplane-contrib-function-auto-ready" runs, got it twice',
    ],
  ])('refuses %j', (given, sentence) => {
    expect(() => read(...given)).toThrow(sentence);
  });
});
