/** The oldest Node that the package runs on: `engines` of package.json. */
const [oldestMajor, oldestMinor] = [22, 12];

/** The sentence for a Node that is too old; undefined for one that is not. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `function-tether needs Node ${oldestMajor}.${oldestMinor} or later, this is Node ${version}: install a newer one`;
}
