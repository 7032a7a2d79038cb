// All functions that a rule may call: those of CEL, its extensions for texts, lists, sets and optionals, and Kubernetes'
// libraries.
//
// kubernetes/apiserver v0.34.4 pkg/cel/environment/base.go. Not modelled: the library of authorization, whose `authorizer`
// rules of custom resources do not have, and time zones by name.

import {addressFunctions, addressMethods, networkMethods} from './functions/addresses.ts';
import type {Call, Methods} from './functions/call.ts';
import {conversions} from './functions/conversions.ts';
import {listFunctions, listMethods, sizeMethods} from './functions/lists.ts';
import {nameFormatMethods, nameFormats} from './functions/name-formats.ts';
import {optionalFunctions, optionalMethods, unwrapMethods} from './functions/optionals.ts';
import {quantityFunctions, quantityMethods} from './functions/quantities.ts';
import {matches, quote, textMethods} from './functions/texts.ts';
import {durationMethods, momentMethods} from './functions/times.ts';
import {urlFunctions, urlMethods} from './functions/urls.ts';
import {versionFunctions, versionMethods} from './functions/versions.ts';
import {noSuchOverload} from './values.ts';

/** `f(x)`, and `a.f(x)` where a is no value. */
export const functions: ReadonlyMap<string, Call> = new Map(
  [
    conversions,
    listFunctions,
    addressFunctions,
    nameFormats,
    optionalFunctions,
    quantityFunctions,
    urlFunctions,
    versionFunctions,
    {matches, 'strings.quote': quote},
  ].flatMap((calls) => Object.entries(calls)),
);

const libraries: readonly Methods[] = [
  textMethods,
  listMethods,
  sizeMethods,
  durationMethods,
  momentMethods,
  addressMethods,
  networkMethods,
  nameFormatMethods,
  optionalMethods,
  unwrapMethods,
  quantityMethods,
  urlMethods,
  versionMethods,
];

/** `x.f(y)`. */
export const methods: ReadonlyMap<string, Call> = new Map(
  [...new Set(libraries.flatMap(({calls}) => Object.keys(calls)))].map((name) => {
    const owners = libraries.filter(({calls}) => Object.hasOwn(calls, name));
    const call: Call = (args) => {
      const owner = owners.find(({of}) => of(args[0]));
      const own = owner?.calls[name];
      if (own === undefined) throw noSuchOverload();
      return own(args);
    };
    return [name, call] as const;
  }),
);
