/** `sextant shard-plan`: the commands that shard the product's collections on a sharded cluster; with `--apply` it runs them. */
import { Command, InvalidArgumentError } from 'commander';
import { BSON } from 'mongodb';
import { readConfig, readEnvironment } from '../../config/config.js';
import {
  applyShardPlan,
  formatCommand,
  makeShardPlan,
  type ShardPlan,
  type SiteZone,
} from '../../database/collections/shard-plan.js';
import { normalizeHost } from '../../models/analytics/sites/site.js';
import { InputError } from '../../shared/errors.js';
import { makeSteps } from '../../terminal/steps.js';
import { openCommandDatabase } from '../support/command-database.js';

interface CommandOptions {
  readonly apply?: boolean;
  readonly json?: boolean;
  readonly zone: readonly SiteZone[];
}

export const shardPlanCommand = new Command('shard-plan')
  .description('print the commands for sharding')
  .option('--apply', 'run them, on a sharded cluster')
  .option('--zone <site=shard,shard>', 'keep the hits of a site on these shards; may be repeated', addZone, [])
  .option('--json', 'print JSON')
  .addHelpText('after', '\nApplying is safe to repeat. `shardAdvice` simulates other keys on your own documents.')
  .action(async ({ apply, json, zone }: CommandOptions) => {
    const config = readConfig(readEnvironment());
    const { collectionsOf, domainsOf } = await import('../../domains.js'); // only here, because it takes half a second
    const plan = makeShardPlan(config.MONGODB_DATABASE, collectionsOf(domainsOf(config)), zone);
    if (!apply) return print(json ? toJson(plan) : describePlan(plan));
    const steps = makeSteps(process.stderr);
    const { client, close } = await openCommandDatabase(config, steps);
    try {
      const outcomes: { collection: string; outcome: string }[] = [];
      await applyShardPlan(client, plan, (collection, outcome) => {
        steps.show({ text: 'Sharding', done: (outcomes.length + 1) / plan.sharded.length });
        outcomes.push({ collection, outcome });
      });
      steps.end();
      print(json ? toJson(outcomes) : outcomes.map((each) => `${each.collection}: ${each.outcome}\n`).join(''));
    } finally {
      await close();
    }
  });

function addZone(text: string, before: readonly SiteZone[]): SiteZone[] {
  const [site = '', names = ''] = text.split('=');
  const shards = names.split(',').filter((name) => name !== '');
  if (shards.length === 0) throw new InvalidArgumentError('Expected, for example, example.org=shard0,shard1');
  try {
    return [...before, { site: normalizeHost('The site', site), shards }];
  } catch (error) {
    if (error instanceof InputError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

const print = (text: string): void => void process.stdout.write(text);

/** With dates and the bounds of key ranges as MongoDB's extended JSON. */
const toJson = (value: object): string => `${BSON.EJSON.stringify(value, undefined, 2)}\n`;

/** Can be piped to `mongosh` as it is. */
function describePlan({ commands, sharded, whole }: ShardPlan): string {
  const blocks = [
    commands.map(formatCommand),
    ...sharded.map((each) => [`// ${each.collection}`, ...each.commands.map(formatCommand)]),
    ['// These stay whole, on one shard:', ...whole.map(({ collection, reason }) => `// ${collection}: ${reason}`)],
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
