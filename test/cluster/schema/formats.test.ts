import {describe, expect, test} from 'vitest';
import {hasFormat} from '../../../src/cluster/schema/formats.ts';

describe('a text has a format', () => {
  test.each([
    {
      format: 'date-time',
      good: ['2024-02-29T23:59:59Z', '2024-01-01t00:00:00.5+02:00'],
      bad: ['2023-02-29T00:00:00Z', '2024-01-01T24:00:00Z', '2024-01-01'],
    },
    {format: 'datetime', good: ['2024-01-01T00:00:00Z'], bad: ['']},
    {format: 'date', good: ['2024-12-31'], bad: ['2024-13-01', '2024-04-31', '24-01-01']},
    {
      format: 'duration',
      good: ['1h30m', '-5s', '0', '22 ns', '3 weeks', 'wait 5 min'],
      bad: ['', '5', 'nonsense', '5 x'],
    },
    {format: 'byte', good: ['', 'YQ==', 'YWJj'], bad: ['YQ', 'a b=', '####']},
    {
      format: 'uuid',
      good: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
      bad: ['123e4567'],
    },
    {format: 'uuid4', good: ['123e4567-e89b-42d3-a456-426614174000'], bad: ['123e4567-e89b-12d3-a456-426614174000']},
    {format: 'ipv4', good: ['1.2.3.4'], bad: ['1.2.3', '1.2.3.256', '01.2.3.4', '::1']},
    {
      format: 'ipv6',
      good: ['::1', '2001:db8::8:800:200c:417a', '::ffff:1.2.3.4'],
      bad: ['1.2.3.4', '1::2::3', '12345::', '1:2:3'],
    },
    {format: 'cidr', good: ['10.0.0.0/8', 'fd00::/64'], bad: ['10.0.0.0', '10.0.0.0/33', 'x/8']},
    {format: 'mac', good: ['00:1b:44:11:3a:b7'], bad: ['00:1b:44', '00-1b:44-11:3a-b7']},
    {format: 'hostname', good: ['a.example.org'], bad: ['-a', 'a..b', 'a_b']},
    {format: 'email', good: ['a@example.org', 'A B <a@example.org>'], bad: ['a', '@']},
    {format: 'uri', good: ['https://example.org/x', '/x'], bad: ['x y', '']},
    {format: 'hexcolor', good: ['#ffF', '00ff00'], bad: ['#ff', 'green']},
    {format: 'k8s-short-name', good: ['a-b'], bad: ['A', 'a.b', 'a'.repeat(64)]},
    {format: 'k8s-long-name', good: ['a.b-c'], bad: ['a..b', 'a'.repeat(254)]},
    {format: 'password', good: ['anything'], bad: []},
    {format: 'of-nobody', good: ['anything', ''], bad: []},
  ])('$format', ({format, good, bad}) => {
    expect(good.filter((text) => !hasFormat(text, format))).toEqual([]);
    expect(bad.filter((text) => hasFormat(text, format))).toEqual([]);
  });
});
