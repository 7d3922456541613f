/**
 * An import that needs no file, as a domain would declare it: stores numbers, and rejects every tenth. Plain JavaScript, because a
 * process that a test kills runs it with the built product (`work-program.mjs`).
 */
export const COUNTED = 'counted';

export const makeCountingKind = ({ recordRows }) => ({
  name: 'counting',
  type: 'DataImport',
  rejectReasons: { TENTH: 'It is a tenth' },

  async run(held) {
    const { rows, batch } = held.work.input;
    while ((held.work.position?.next ?? 0) < rows) {
      const from = held.work.position?.next ?? 0;
      const to = Math.min(from + batch, rows);
      const numbers = Array.from({ length: to - from }, (_, index) => from + index);
      const taken = numbers.filter((number) => number % 10 !== 9);
      const rejects = numbers
        .filter((number) => number % 10 === 9)
        .map((number) => ({ row: number + 1, line: number + 1, reason: 'TENTH', raw: `the number ${number}` }));
      const documents = taken.map((number) => ({ _id: `${held.work._id}.${String(number).padStart(6, '0')}` }));
      await recordRows(held, async (session) => {
        if (documents.length > 0) await held.db.collection(COUNTED).insertMany(documents, { session });
        return { position: { next: to }, total: rows, imported: taken.length, rejects };
      });
    }
  },

  async undo(held) {
    const { _id, input } = held.work;
    for (;;) {
      const last = await held.db
        .collection(COUNTED)
        .find({ _id: { $gte: `${_id}.`, $lt: `${_id}/` } })
        .sort({ _id: -1 })
        .limit(input.batch)
        .toArray();
      if (last.length === 0) return;
      const deletions = last.map((document) => ({ deleteOne: { filter: { _id: document._id } } }));
      await held.step(async (session) => {
        await held.db.collection(COUNTED).bulkWrite(deletions, { session, ordered: false });
        return { done: -last.length, counts: { imported: -last.length } };
      });
    }
  },
});
