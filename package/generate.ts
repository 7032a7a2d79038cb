// Writes what is made of the one schema in src/lifecycle/input/schema.ts, the CRD of the input and its page in docs; of the tables
// of src/lifecycle/words, the tables of docs/reference/operations.md; and the published JSON Schemas.
// `node package/generate.ts`

import {writeFileSync} from 'node:fs';
import {crdFile, inputCrd} from './input-crd.ts';
import {inputPage, inputPageFile} from './input-page.ts';
import {jsonSchemaFile, jsonSchemas, schemaCatalog, schemaCatalogFile} from './json-schemas.ts';
import {operationsPage, operationsPageFile} from './operations-page.ts';

writeFileSync(crdFile, inputCrd());
writeFileSync(inputPageFile, inputPage());
writeFileSync(operationsPageFile, operationsPage());
for (const [name, text] of Object.entries(jsonSchemas())) writeFileSync(jsonSchemaFile(name), text);
writeFileSync(jsonSchemaFile(schemaCatalogFile), schemaCatalog());
