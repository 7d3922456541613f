/** What the resolvers of each type get as their parent. `npm run generate` maps the type `Post` to `PostMapper`. */
import type { PostDelivery } from '../../models/social/delivery/delivery.js';
import type { OwnCircle } from '../../models/social/network/circle.js';
import type { Profile } from '../../models/social/network/profile.js';
import type { PostDocument } from '../../models/social/posts/post.js';
import type { WorkDocument } from '../../models/work.js';
import type { DetailOfPost } from './post-detail.js';

export type ProfileMapper = Profile;
export type CircleMapper = OwnCircle;
export type DeletedCircleMapper = { readonly _id: string };
export type PostMapper = PostDocument;
export type DeletedPostMapper = { readonly _id: string };
export type PostReportMapper = NonNullable<PostDocument['reports']>[number];
export type PhotoDetailMapper = DetailOfPost;
export type LinkDetailMapper = DetailOfPost;
export type CheckInDetailMapper = DetailOfPost;
export type PollDetailMapper = DetailOfPost;
export type FanOutMapper = PostDelivery;
export type NewsRebuildMapper = WorkDocument;
