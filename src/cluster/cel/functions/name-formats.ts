// Formats by name: `format.dns1123Label().validate(self.name)` returns the errors, or none.
// kubernetes/apiserver v0.34.4 pkg/cel/library/format.go.

import {hasFormat} from '../../schema/formats.ts';
import {
  dns1035LabelProblems,
  labelValueProblems,
  nameProblems,
  namespaceProblems,
  qualifiedNameProblems,
} from '../../schema/name-rules.ts';
import {listOf, none, noSuchOverload, type OpaqueValue, optionalOf, type Value} from '../values.ts';
import {type Calls, type Methods, ofText, opaqueType} from './call.ts';
import {parseUrl} from './urls.ts';

type Problems = (text: string) => readonly string[];

const plain =
  (format: string, problem: string): Problems =>
  (text) =>
    hasFormat(text, format) ? [] : [problem];

const formats: {readonly [name: string]: Problems} = {
  dns1123Label: namespaceProblems,
  dns1123Subdomain: nameProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: qualifiedNameProblems,
  dns1123LabelPrefix: (text) => namespaceProblems(text, true),
  dns1123SubdomainPrefix: (text) => nameProblems(text, true),
  dns1035LabelPrefix: (text) => dns1035LabelProblems(text, true),
  labelValue: labelValueProblems,
  uri: (text) => (parseUrl(text) === undefined ? [`parse ${JSON.stringify(text)}: invalid URI for request`] : []),
  uuid: plain('uuid', 'does not match the UUID format'),
  byte: plain('byte', 'invalid base64'),
  date: plain('date', 'invalid date'),
  datetime: plain('date-time', 'invalid datetime'),
};

const {of, contentOf: problemsOf, make} = opaqueType<Problems>('kubernetes.NamedFormat');

function format(name: string): OpaqueValue {
  return make(name, formats[name] as Problems);
}

export const nameFormats: Calls = {
  ...Object.fromEntries(Object.keys(formats).map((name) => [`format.${name}`, () => format(name)])),
  'format.named': ofText((name) => (Object.hasOwn(formats, name) ? optionalOf(format(name)) : none)),
};

export const nameFormatMethods: Methods = {
  of,
  calls: {
    validate: ([target, text]: readonly Value[]) => {
      if (typeof text !== 'string') throw noSuchOverload();
      const problems = problemsOf(target)(text);
      return problems.length === 0 ? none : optionalOf(listOf(problems));
    },
  },
};
