import {InputError} from '../input/input-error.ts';
import {readYamlFile} from '../input/yaml-file.ts';
import {auditReport} from './audit-form.ts';

/** The ids of an earlier audit's JSON report. Throws InputError where the file is none. */
export function readBaseline(file: string): readonly string[] {
  const [cursor, other] = readYamlFile(file);
  if (cursor === undefined || other !== undefined) {
    throw new InputError(`cannot read baseline "${file}": expected the JSON report of an audit, got something else`);
  }
  return auditReport.read(cursor).findings.map(({id}) => id);
}
