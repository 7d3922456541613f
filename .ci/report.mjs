/**
 * The last line of a run: passed, failed, skipped. A skipped test that is not on the list counts as failed; so do a
 * line of the list that names no test of its file, a test file that could not be run, one that was run twice, and a test
 * run without a report.
 * Usage: node report.mjs FOLDER RUNS SKIPS.txt STEPS-PASSED STEPS-FAILED
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const REASON_LINES_MAX = 10;
const REASON_WIDTH_MAX = 1000;
const [folder, runs, skipsPath, stepsPassed, stepsFailed] = process.argv.slice(2);

const allowed = readFileSync(skipsPath, 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split(' # ')[0].split(': '));
const isNamedBy = ([folder, name = ''], path, test) => path.startsWith(folder) && test.startsWith(name);
const mayBeSkipped = (path, test) => allowed.some((line) => isNamedBy(line, path, test));

const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults);
const files = reports.flat().map(({ name, ...file }) => ({ path: relative(process.cwd(), name), ...file }));
const count = { passed: Number(stepsPassed), failed: Number(stepsFailed), skipped: 0 };
for (const { path, status, message, assertionResults } of files) {
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
    fault(`could not be run: ${path}${reasonOf(message)}`);
  for (const test of assertionResults) {
    if (test.status === 'passed') count.passed += 1;
    else if (test.status === 'failed') fault(`${path}: ${test.fullName}${reasonOf(test.failureMessages[0])}`);
    else if (mayBeSkipped(path, test.fullName)) count.skipped += 1;
    else fault(`skipped but not on the list: ${path}: ${test.fullName}`);
  }
}
for (const line of allowed) {
  const tests = files.filter(({ path }) => path === line[0]).flatMap((file) => file.assertionResults);
  if (tests.length > 0 && !tests.some(({ fullName }) => isNamedBy(line, line[0], fullName)))
    fault(`a line of the list that names no test: ${line.join(': ')}`);
}
const paths = files.map(({ path }) => path);
for (const path of new Set(paths.filter((path, at) => paths.indexOf(path) !== at))) fault(`was run twice: ${path}`);
if (reports.length < Number(runs) || reports.some(({ length }) => length === 0)) fault('not all tests were run');

function reasonOf(message = '') {
  const lines = message.split('\n').filter((line) => line.trim() && !line.includes('node_modules'));
  return lines
    .slice(0, REASON_LINES_MAX)
    .map((line) => `\n    ${line.slice(0, REASON_WIDTH_MAX)}`)
    .join('');
}

function fault(what) {
  count.failed += 1;
  console.log(`FAILED ${what}`);
}

console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed > 0 ? 1 : 0;
