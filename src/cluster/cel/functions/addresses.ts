// IP addresses and networks.
// kubernetes/apiserver v0.34.4 pkg/cel/library/{ip,cidr}.go; Go's net/netip. Not modelled: which part of an address that
// cannot be read is wrong, in the sentence of the problem.

import {EvaluationProblem, noSuchOverload, type OpaqueValue, type Value} from '../values.ts';
import {type Call, type Calls, type Methods, ofText, opaqueType} from './call.ts';

interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

interface Network {
  readonly address: Address;
  readonly length: number;
}

const {of: isAddress, contentOf: addressOf, make: makeAddress} = opaqueType<Address>('net.IP');
const {of: isNetwork, contentOf: networkOf, make: makeNetwork} = opaqueType<Network>('net.CIDR');

function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseSix(text) : parseFour(text);
}

function parseFour(text: string): Address | undefined {
  const parts = text.split('.');
  const isFour = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isFour ? {bits: 32, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)} : undefined;
}

function parseSix(text: string): Address | undefined {
  const lastColon = text.lastIndexOf(':');
  const tail = text.slice(lastColon + 1);
  const four = tail.includes('.') ? parseFour(tail) : undefined;
  if (tail.includes('.') && four === undefined) return undefined;
  const hex = (value: bigint) => value.toString(16);
  const plain =
    four === undefined ? text : `${text.slice(0, lastColon + 1)}${hex(four.value >> 16n)}:${hex(four.value & 65535n)}`;
  const [head = '', rest, ...more] = plain.split('::');
  if (more.length > 0) return undefined;
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(rest ?? '')];
  const missing = 8 - before.length - after.length;
  if (rest === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...before, ...Array.from({length: missing}, () => '0'), ...after];
  if (!all.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return {bits: 128, value: all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)};
}

function groupsOf({bits, value}: Address): readonly bigint[] {
  const [count, size] = bits === 32 ? [4, 8n] : [8, 16n];
  const mask = 2n ** size - 1n;
  return Array.from({length: count}, (_, at) => (value >> (size * BigInt(count - 1 - at))) & mask);
}

/** The one way to write it: the longest run of two zero groups or more is left out. */
function addressText(address: Address): string {
  const groups = groupsOf(address);
  if (address.bits === 32) return groups.join('.');
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)];
  const [first, ...others] = runs;
  if (first === undefined) return text;
  const longest = others.reduce((best, run) => (run[0].length > best[0].length ? run : best), first);
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

const mapped = 0xffffn;

function readAddress(text: Value | undefined): Address {
  if (typeof text !== 'string') throw noSuchOverload();
  const quoted = JSON.stringify(text);
  if (text.includes(':') && text.includes('%')) {
    throw new EvaluationProblem(`IP address ${quoted} with zone value is not allowed`);
  }
  const address = parseAddress(text);
  if (address === undefined) {
    const cause = `ParseAddr(${quoted}): unable to parse IP`;
    throw new EvaluationProblem(`IP Address ${quoted} parse error during conversion from string: ${cause}`);
  }
  if (address.bits === 128 && address.value >> 32n === mapped) {
    throw new EvaluationProblem(`IPv4-mapped IPv6 address ${quoted} is not allowed`);
  }
  return address;
}

function readNetwork(text: Value | undefined): Network {
  if (typeof text !== 'string') throw noSuchOverload();
  const quoted = JSON.stringify(text);
  const slash = text.lastIndexOf('/');
  const length = text.slice(slash + 1);
  const address = slash < 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length) ? undefined : parseAddress(text.slice(0, slash));
  if (address === undefined || Number(length) > address.bits) {
    const cause = `netip.ParsePrefix(${quoted}): no '/'`;
    throw new EvaluationProblem(
      `network address parse error during conversion from string: network address parse error during conversion from string: ${cause}`,
    );
  }
  if (address.bits === 128 && address.value >> 32n === mapped) {
    throw new EvaluationProblem(
      `network address parse error during conversion from string: IPv4-mapped IPv6 address ${quoted} is not allowed`,
    );
  }
  return {address, length: Number(length)};
}

function isReadable(read: (text: Value | undefined) => unknown): Call {
  return ofText((text) => {
    try {
      read(text);
      return true;
    } catch (problem) {
      if (problem instanceof EvaluationProblem) return false;
      throw problem;
    }
  });
}

function toAddress(address: Address): OpaqueValue {
  return makeAddress(addressText(address), address);
}

function toNetwork(network: Network): OpaqueValue {
  return makeNetwork(`${addressText(network.address)}/${network.length}`, network);
}

function masked({address, length}: Network): Network {
  const hidden = BigInt(address.bits - length);
  return {address: {...address, value: (address.value >> hidden) << hidden}, length};
}

function covers(network: Network, address: Address): boolean {
  if (network.address.bits !== address.bits) return false;
  const hidden = BigInt(address.bits - network.length);
  return network.address.value >> hidden === address.value >> hidden;
}

function containsNetwork(outer: Network, inner: Network): boolean {
  return outer.length <= inner.length && covers(outer, inner.address);
}

export const addressFunctions: Calls = {
  ip: ([text]) => toAddress(readAddress(text)),
  isIP: isReadable(readAddress),
  'ip.isCanonical': ([text]) => addressText(readAddress(text)) === text,
  cidr: ([text]) => toNetwork(readNetwork(text)),
  isCIDR: isReadable(readNetwork),
};

function about(check: (address: Address, groups: readonly bigint[]) => boolean): Call {
  return ([target]) => check(addressOf(target), groupsOf(addressOf(target)));
}

const isLoopback = ({bits, value}: Address, [first]: readonly bigint[]) =>
  bits === 32 ? first === 127n : value === 1n;
const isMulticast = ({bits}: Address, [first = 0n]: readonly bigint[]) =>
  bits === 32 ? first >> 4n === 14n : first >> 8n === 255n;
const isLinkLocal = ({bits}: Address, [first = 0n, second]: readonly bigint[]) =>
  bits === 32 ? first === 169n && second === 254n : first >> 6n === 0x3fan;

export const addressMethods: Methods = {
  of: isAddress,
  calls: {
    family: ([target]) => (addressOf(target).bits === 32 ? 4n : 6n),
    isUnspecified: about(({value}) => value === 0n),
    isLoopback: about(isLoopback),
    isLinkLocalUnicast: about(isLinkLocal),
    isLinkLocalMulticast: about(({bits}, [first = 0n, second, third]) =>
      bits === 32 ? first === 224n && second === 0n && third === 0n : (first & 0xff0fn) === 0xff02n,
    ),
    isGlobalUnicast: about((address, groups) => {
      const isBroadcast = address.bits === 32 && address.value === 0xffff_ffffn;
      const isSpecial = isLoopback(address, groups) || isMulticast(address, groups) || isLinkLocal(address, groups);
      return address.value !== 0n && !isBroadcast && !isSpecial;
    }),
  },
};

export const networkMethods: Methods = {
  of: isNetwork,
  calls: {
    containsIP: ([target, other]) =>
      covers(networkOf(target), typeof other === 'string' ? readAddress(other) : addressOf(other)),
    containsCIDR: ([target, other]) =>
      containsNetwork(networkOf(target), typeof other === 'string' ? readNetwork(other) : networkOf(other)),
    ip: ([target]) => toAddress(networkOf(target).address),
    prefixLength: ([target]) => BigInt(networkOf(target).length),
    masked: ([target]) => toNetwork(masked(networkOf(target))),
  },
};
