// Which fields are secret by their name, in any spelling: `adminPassword`, `DB_PASSWORD`, `x-auth-token`, `privateKeyPem`,
// `tls.key`. A name that ends in what points at a secret, `passwordSecretRef` or `secretName`, is none.

import {Recent} from '../../../cluster/recent.ts';

const things = [
  'pass(_?word|words|wd|_?phrase|phrases|_?code|codes)?|pw|pwd|pwds|require_?pass|(master|my|proxy|smtp)(auth|pass)|htpasswd|pgpass|netrc|npmrc|pin|otp|totp|psk|hmac|salt|mnemonic|seed',
  'secret|secrets|token|tokens|jwt|bearer|cookie|cookies|sas|authorization|authorisation|auth|sig|signature',
  'credential|credentials|cred|creds|dockerconfigjson|dockercfg|id_(rsa|dsa|ecdsa|ed25519)|keystore|pfx|p12|jks',
  '(api|access|account|client|encryption|host|license|master|private|secret|session|shared|signing|ssh|storage|tls|root|webhook)_?keys?',
  '(admin|aes|auth|authentication|deploy|function|gpg|hmac|pgp|subscription|vpn|wireguard|wire_guard)_?keys?',
  '[a-z0-9]+(password|passwd|passphrase)|passwort|kennwort|service_account_json|secret_key_base|community_string',
  '(activation|app|application|cipher|decryption|fernet|gossip|ingest|ingestion|instrumentation|integration|jwt)_?keys?',
  '(preshared|primary|recovery|registration|routing|secondary|unseal|write)_?keys?|bind_(credential|credentials)',
  'key_(data|material|pair)|seed_phrase|(backup|invite|recovery|unlock|verification)_codes?|private_pem',
  'encrypt|passkey|pat|cvc|cvv|session_id|security_answer|join_command|magic_link|(pre_?)?signed_url|sas_(uri|url)',
  'kube_?configs?|user_?data|custom_?data|cloud_?(init|config)',
  'dsn|conn(ection)?_?(str|string|strings|url|urls|uri)|(database|db|jdbc|amqp|redis|mongo|mongodb|postgres|postgresql|mysql)_(url|uri)',
  'webhooks?(_?(url|urls|uri))?',
];
const secret = new RegExp(`(^|_)(${things.join('|')})$`);
/** In what form a secret is given. */
const form =
  /_(binary|pem|text|plain|plaintext|string|str|value|values|data|content|contents|raw|base_?64|b64|encoded|json|yaml|file|hash|wo|old|new|current|previous|initial|default|temp|temporary|confirm|confirmation|v?\d+)$/;

/** Objects have few names of fields, and each of them many times. */
const known = new Recent<string, boolean>(2 ** 20, () => 64);

/** True if the value of a field of this name is secret. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = endsInSecret(name);
  known.set(name, found);
  return found;
}

function endsInSecret(name: string): boolean {
  let words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  for (;;) {
    if (secret.test(words)) return true;
    const shorter = words.replace(form, '');
    if (shorter === words) return false;
    words = shorter;
  }
}

/** True if a list or a map of this name holds the environment of a process, or what is sensitive: `env: [{name: ..., value: ...}]`. */
export function isEnvironment(name: string): boolean {
  return /^(container|extra|pod)?(env|envs|envvars|environment|environmentvariables)$|^securejsondata$|sensitive(values|inputs|vars|variables)?$/i.test(
    name.replaceAll(/[-_]/g, ''),
  );
}
