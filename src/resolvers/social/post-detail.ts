/** What is specific to the types of posts. */
import type {
  CheckInDetailResolvers,
  LinkDetailResolvers,
  PhotoDetailResolvers,
  PollDetailResolvers,
} from '../../generated/resolvers.js';
import { seenKey } from '../../models/social/loaders.js';
import type { PostDetail as PostDetailOfModel, PostDocument, PostType } from '../../models/social/posts/post.js';
import { SextantError } from '../../shared/errors.js';

const TYPES: Readonly<Record<Exclude<PostType, 'STATUS'>, string>> = {
  PHOTO: 'PhotoDetail',
  LINK: 'LinkDetail',
  CHECK_IN: 'CheckInDetail',
  POLL: 'PollDetail',
};

/** With the name of its type, and the id of its post, by which votes are found. */
export interface DetailOfPost extends PostDetailOfModel {
  readonly post: string;
  readonly __typename: string;
}

export const detailOf = ({ _id, type, detail }: PostDocument): DetailOfPost | null =>
  type === 'STATUS' || !detail ? null : { ...detail, post: _id, __typename: TYPES[type] };

export const PhotoDetail: PhotoDetailResolvers = {
  image: async ({ asset_id = '' }, _args, { loaders }) => {
    const asset = await loaders().asset.load(asset_id);
    if (!asset) throw new SextantError('NOT_FOUND', 'The picture was deleted');
    return asset;
  },
  description: ({ description = '' }) => description,
};

export const LinkDetail: LinkDetailResolvers = {
  url: ({ url = '' }) => url,
  title: ({ title = '' }) => title,
};

export const CheckInDetail: CheckInDetailResolvers = { name: ({ title = '' }) => title };

export const PollDetail: PollDetailResolvers = {
  question: ({ question = '' }) => question,
  options: ({ options = [] }) => options.map(({ text, votes }, number) => ({ number, text, votes })),
  closesAt: ({ closes }) => closes ?? null,
  myVote: ({ post }, _args, { loaders, viewer }) =>
    viewer.id === null ? null : loaders().vote.load(seenKey({ id: post, reader: viewer.id })),
};
