/** Stored pictures. */
import type { AssetResolvers, MutationResolvers, UploadPictureResultResolvers } from '../../generated/resolvers.js';
import { SextantError } from '../../shared/errors.js';
import { toGlobalId } from '../../shared/global-id.js';
import { resultType } from '../support/result-type.js';

export const Asset: AssetResolvers = {
  id: ({ _id }) => toGlobalId('Asset', _id),
  url: (asset, { width }, { assets }) => assets.pathOf(asset, width ?? null),
  contentType: ({ metadata }) => metadata.content_type,
  bytes: ({ length }) => length,
  width: ({ metadata }) => metadata.width,
  height: ({ metadata }) => metadata.height,
};

export const UploadPictureResult: UploadPictureResultResolvers = { __resolveType: resultType('Asset') };

export const Mutation: Pick<MutationResolvers, 'uploadPicture'> = {
  uploadPicture: (_root, { file, keepLocation }, { assets, db, viewer }) => {
    const { id: ownerId, roles } = viewer;
    if (ownerId === null || roles.length === 0)
      throw new SextantError('FORBIDDEN', 'This requires a role, such as MEMBER');
    return assets.store(db, {
      name: file.fileName,
      bytes: file.open(),
      ownerId,
      keepLocation: keepLocation ?? false,
    });
  },
};
