// Writes src/api/types.ts from the server's OpenAPI file, so that the page and the server
// cannot disagree. With --check it only compares, and fails if they differ.

import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const SOURCE = new URL('../../crates/shido-web/openapi.json', import.meta.url);
const TARGET = new URL('../src/api/types.ts', import.meta.url);

/** Returns a schema as a TypeScript type. */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const all = schema.oneOf ?? schema.anyOf;
  if (all) return all.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  const types = [schema.type].flat();
  return types.map((type) => plainType(type, schema)).join(' | ');
}

function plainType(type, schema) {
  switch (type) {
    case 'object':
      return schema.properties ? objectType(schema) : 'Record<string, unknown>';
    case 'array':
      return `(${typeOf(schema.items)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** The server writes every field, and `null` where there is nothing; none is left out. */
function objectType(schema) {
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${comment(field)}${name}: ${typeOf(field)};`,
  );
  return `{\n${fields.join('\n')}\n}`;
}

const comment = ({ description }) =>
  description ? `/** ${description.trim().replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';

const { components } = JSON.parse(readFileSync(SOURCE, 'utf8'));
const types = Object.entries(components.schemas).map(
  ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`,
);
const header =
  '// What the server takes and sends. Made from its OpenAPI file by `npm run api-types`;\n' +
  '// not edited by hand.\n\n';
const options = await resolveConfig(TARGET);
const text = await format(header + types.join('\n'), {
  ...options,
  parser: 'typescript',
});

if (!process.argv.includes('--check')) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error(
    'src/api/types.ts is not what the OpenAPI file says: run `npm run api-types`.',
  );
  process.exit(1);
}
