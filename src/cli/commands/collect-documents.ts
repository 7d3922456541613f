/** `sextant collect-documents`: the manifest of the operations in a client's sources, for TRUSTED_DOCUMENTS. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { printJson, tell } from '../../terminal/output.js';

const TEXT_FILE = /\.(graphql|gql)$/;
const CODE_FILE = /\.[cm]?[jt]sx?$/;
/** Calls and tags that GraphQL clients use: graphql(`…`), graphql(/* GraphQL *\/ `…`), gql`…`. */
const TEMPLATE = /\b(?:graphql|gql)\s*\(?\s*(?:\/\*\s*GraphQL\s*\*\/\s*)?`([^`]*)`/g;

export const collectDocumentsCommand = new Command('collect-documents')
  .summary("list a client's operations")
  .description("write a manifest of the operations in a client's sources, for TRUSTED_DOCUMENTS")
  .argument('<folder...>', 'source folders: .graphql files, and graphql(`…`) or gql`…` in scripts')
  .addHelpText('after', '\nExample: sextant collect-documents web/src > trusted-documents.json')
  .action(async (folders: string[]) => {
    const { makeManifest } = await import('../../server/operations/trusted-documents.js');
    const manifest = makeManifest(folders.flatMap(readSources));
    printJson(manifest);
    tell(`${Object.keys(manifest).length} operations`);
  });

/** @throws Error a document is assembled at run time */
function readSources(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return paths.flatMap((path) => {
    if (path.includes('node_modules') || !(TEXT_FILE.test(path) || CODE_FILE.test(path))) return [];
    const text = readFileSync(join(folder, path), 'utf8');
    if (TEXT_FILE.test(path)) return [text];
    return [...text.matchAll(TEMPLATE)].map(([, source = '']) => {
      if (source.includes('${')) throw new Error(`${path}: a document with \${…} is not known in advance`);
      return source;
    });
  });
}
