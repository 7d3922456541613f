/** Exemptions from the capture's rules for the queries and writes of the game. */
import type { Exemptions } from '../../support/domain/test-domain.js';

export const exemptions: Exemptions = {
  multiDocumentWrites: {
    'update many game.characters {_id: {$in}, location._id, moves: {$gt}, location.version: {$lt}}':
      'brings the copies of a room up to date: only older ones, so it may be repeated, and a round that was cut off is',
    'update many game.characters {owner}':
      'keeps the characters of a person from speaking, in one transaction with the mute: 5 at most',
    'update many game.characters {owner, muted_until: {$ne}}':
      'the same for characters that were created meanwhile, as the mute says in the same transaction',
    'update many game.characters {owner, muted_until: {$exists}}': 'the same when they may speak again',
    'update many game.presences {process}': 'renews the leases of one process, and may be repeated',
  },
  writesBesideOperations: {
    'src/models/game/rooms/room-copy.ts copyRoom':
      'a loop next to the acts that have changed the room; only older copies are replaced, so it may happen between any two steps',
  },
};
