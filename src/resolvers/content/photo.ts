/** Photos: uploading and replacing their pictures. */
import type {
  MutationResolvers,
  MutationUploadPhotoArgs,
  PlacePhotoResultResolvers,
  ReplacePhotoResultResolvers,
  UploadPhotoResultResolvers,
} from '../../generated/resolvers.js';
import { replacePhoto, type StorePicture, uploadPhoto } from '../../models/content/posts/photo.js';
import { placePhoto } from '../../models/content/posts/photo-order.js';
import type { Context } from '../../server/context/context.js';
import { nodeIdOf, typeOfOutcome } from './node-type.js';
import { writeOnce } from './write.js';

export const UploadPhotoResult: UploadPhotoResultResolvers = { __resolveType: typeOfOutcome };
export const PlacePhotoResult: PlacePhotoResultResolvers = { __resolveType: typeOfOutcome };
export const ReplacePhotoResult: ReplacePhotoResultResolvers = { __resolveType: typeOfOutcome };

const storing =
  ({ assets, db, viewer }: Context, file: MutationUploadPhotoArgs['file'], keepLocation: boolean): StorePicture =>
  () => {
    const ownerId = viewer.id ?? viewer.keyId ?? ''; // a user or a program, as `@auth` requires
    return assets.store(db, { name: file.fileName, bytes: file.open(), ownerId, keepLocation });
  };

export const Mutation: Pick<MutationResolvers, 'uploadPhoto' | 'replacePhoto' | 'placePhoto'> = {
  uploadPhoto: (_root, { parentId, file, input: { keepLocation, ...input } }, context) =>
    writeOnce(context, { operation: 'uploadPhoto', input: { parentId, input } }, (write) =>
      uploadPhoto(
        context.db,
        write,
        { ...input, parentId: nodeIdOf(parentId) },
        storing(context, file, keepLocation ?? false),
      ),
    ),
  replacePhoto: (_root, { id, file }, context) =>
    writeOnce(context, { operation: 'replacePhoto', input: { id } }, (write) =>
      replacePhoto(context.db, write, nodeIdOf(id), storing(context, file, false)),
    ),
  placePhoto: (_root, { id, after }, { db, now }) =>
    placePhoto(db, nodeIdOf(id), typeof after === 'string' ? nodeIdOf(after) : null, now()),
};
