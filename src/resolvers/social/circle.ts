/** Circles of the viewer. */
import type {
  ChangeCircleResultResolvers,
  CircleResolvers,
  CreateCircleResultResolvers,
  DeleteCircleResultResolvers,
  DeletedCircleResolvers,
  MutationResolvers,
  QueryResolvers,
  RenameCircleResultResolvers,
} from '../../generated/resolvers.js';
import { seenKey } from '../../models/social/loaders.js';
import {
  circleNotFound,
  createCircle,
  findCircle,
  findCircles,
  type OwnCircle,
  renameCircle,
} from '../../models/social/network/circle.js';
import { deleteCircle } from '../../models/social/network/circle-deletion.js';
import { pageOfMembers } from '../../models/social/network/circle-members.js';
import { addToCircle, removeFromCircle } from '../../models/social/network/following.js';
import type { Context } from '../../server/context/context.js';
import { requirePerson } from '../../server/identity/viewer.js';
import { idOfType, toGlobalId } from '../../shared/global-id.js';
import { mapConnection } from '../../shared/page.js';
import { signedIn } from '../support/access.js';
import type { NodeFinder } from '../support/domain-resolvers.js';
import { resultType } from '../support/result-type.js';
import { asAuthor, personIdOf } from './people.js';

/** Unique among the circles of everybody. */
const globalIdOf = (owner: string, id: string): string => toGlobalId('Circle', `${owner}/${id}`);

/** @returns the id among the owner's circles; null for one of somebody else */
export function circleIdOf(owner: string, globalId: string): string | null {
  const [of, id] = (idOfType('Circle', globalId) ?? '').split('/');
  return of === owner && id ? id : null;
}

/** Those of the viewer's circles that have these ids, by name. */
export async function circlesOfViewer(ids: readonly string[], { viewer, loaders }: Context): Promise<OwnCircle[]> {
  const { circle } = loaders();
  const found = await Promise.all(ids.map((id) => circle.load(seenKey({ id, reader: viewer.id }))));
  return found.filter((each) => each !== null).sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Without those who have left: their account was deleted, and they are about to be taken out. */
async function presentOf(circle: OwnCircle, { loaders }: Context): Promise<OwnCircle> {
  const { hasLeft } = loaders();
  const left = await Promise.all(circle.members.map(({ id }) => hasLeft.load(id)));
  return { ...circle, members: circle.members.filter((_, at) => !left[at]) };
}

export const Circle: CircleResolvers = {
  id: ({ owner, id }) => globalIdOf(owner, id),
  memberCount: async (circle, _args, context) => (await presentOf(circle, context)).members.length,
  members: async (circle, { first, after }, context) =>
    mapConnection(pageOfMembers(await presentOf(circle, context), { first, after }), ({ id }) =>
      asAuthor(id, context),
    ) as never,
};

export const CreateCircleResult: CreateCircleResultResolvers = { __resolveType: resultType('Circle') };
export const RenameCircleResult: RenameCircleResultResolvers = { __resolveType: resultType('Circle') };
export const DeleteCircleResult: DeleteCircleResultResolvers = { __resolveType: resultType('DeletedCircle') };
export const ChangeCircleResult: ChangeCircleResultResolvers = { __resolveType: resultType('Circle') };
export const DeletedCircle: DeletedCircleResolvers = { id: ({ _id }) => _id };

export const circleNode: NodeFinder = {
  mayAsk: signedIn,
  find: async ({ db, viewer }, stored) => {
    const [owner, id] = stored.split('/');
    return owner && id && owner === viewer.id ? findCircle(db, owner, id) : null;
  },
};

export const Query: Pick<QueryResolvers, 'circles'> = {
  circles: (_root, _args, { db, viewer }) => findCircles(db, requirePerson(viewer)),
};

export const Mutation: Pick<
  MutationResolvers,
  'createCircle' | 'renameCircle' | 'deleteCircle' | 'addToCircle' | 'removeFromCircle'
> = {
  createCircle: (_root, { name }, { db, viewer }) => createCircle(db, requirePerson(viewer), name),
  renameCircle: (_root, { id: globalId, name }, { db, viewer }) => {
    const owner = requirePerson(viewer);
    return renameCircle(db, owner, circleIdOf(owner, globalId) ?? '', name);
  },
  deleteCircle: async (_root, { id: globalId }, { db, viewer, now, courier }) => {
    const owner = requirePerson(viewer);
    const deleted = await deleteCircle(db, owner, circleIdOf(owner, globalId) ?? '', now());
    if (!('_id' in deleted)) return deleted;
    courier.wake();
    return { _id: globalId };
  },
  addToCircle: async (_root, { circleId, userId }, { db, viewer, now, courier }) => {
    const owner = requirePerson(viewer);
    const circle = circleIdOf(owner, circleId);
    if (circle === null) return circleNotFound();
    const outcome = await addToCircle(db, { owner, circle, person: personIdOf(userId) }, now());
    if ('owner' in outcome) courier.wake();
    return outcome;
  },
  removeFromCircle: async (_root, { circleId, userId }, { db, viewer, now, courier }) => {
    const owner = requirePerson(viewer);
    const circle = circleIdOf(owner, circleId);
    if (circle === null) return circleNotFound();
    const outcome = await removeFromCircle(db, { owner, circle, person: personIdOf(userId) }, now());
    if ('owner' in outcome) courier.wake();
    return outcome;
  },
};
