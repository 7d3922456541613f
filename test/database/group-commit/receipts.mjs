/**
 * Receipts that each take one unit of a budget: a small kind of records for tests of the group commit. A receipt counts once; one whose
 * budget is used up is refused, and nothing of it is written.
 */

/** @param step called between the writes, and after the commit: a place to die */
export function receiptGroups(db, step, SeparateRecords, observe = () => undefined) {
  return {
    name: 'receipts',
    words: { one: 'receipt', many: 'receipts' },
    itemsMax: 100,
    entriesMax: 100,
    gather: () => new SeparateRecords(),
    write: async (entries, session) => {
      observe(entries);
      const [known, left] = await readState(db, entries, session);
      const [outcomes, taken] = decide(entries, known, left);
      const recorded = entries.filter((_entry, index) => outcomes[index] === 'RECORDED');
      if (recorded.length === 0) return outcomes;
      const documents = recorded.map(({ id, budget, damaged }) => ({ _id: damaged ? [id] : id, budget }));
      await db.collection('receipts').insertMany(documents, { session });
      step('inserted');
      for (const [budget, units] of taken) await take(db, budget, units, session);
      step('taken');
      return outcomes;
    },
    committed: () => step('committed'),
  };
}

async function readState(db, entries, session) {
  const find = async (name, ids) =>
    db
      .collection(name)
      .find({ _id: { $in: ids } }, { session })
      .toArray();
  const receipts = await find(
    'receipts',
    entries.map(({ id }) => id),
  );
  const budgets = await find('budgets', [...new Set(entries.map(({ budget }) => budget))]);
  return [new Set(receipts.map(({ _id }) => _id)), new Map(budgets.map(({ _id, left }) => [_id, left]))];
}

function decide(entries, known, left) {
  const taken = new Map();
  const outcomes = entries.map(({ id, budget, faulty }) => {
    if (faulty) throw new TypeError('A faulty receipt');
    if (known.has(id)) return 'REPEATED';
    if ((left.get(budget) ?? 0) < 1) return 'BUDGET_USED_UP';
    known.add(id);
    left.set(budget, left.get(budget) - 1);
    taken.set(budget, (taken.get(budget) ?? 0) + 1);
    return 'RECORDED';
  });
  return [outcomes, taken];
}

/** Guard: the budget has that much left. It cannot fail, because the transaction has read it before. */
async function take(db, budget, units, session) {
  const guard = { _id: budget, left: { $gte: units } };
  const { matchedCount } = await db
    .collection('budgets')
    .updateOne(guard, { $inc: { left: -units, spent: units } }, { session });
  if (matchedCount !== 1) throw new Error(`The budget ${budget} has less than ${units} left`);
}
