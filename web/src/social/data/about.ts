/**
 * The objects that posts are about. They may be of any domain: what only one domain has is asked for where it runs, because
 * other servers do not know its types.
 */
import { graphql } from '../../../generated/gql.js';
import type {
  AboutCharacterQuery,
  AboutContentQuery,
  AboutPostQuery,
  AboutProductQuery,
} from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { useDomain } from '../../api/use-domain.js';
import { formatMoney } from '../../kit/base/money.js';
import type { IconName } from '../../kit/display/icon.js';
import type { Post } from './post-list.js';

export type About = NonNullable<Post['about']>;

export const AboutDocument = graphql(`
  query About($id: ID!) {
    node(id: $id) { __typename id ... on Commentable { title } }
  }
`);

const PostDocument = graphql(`
  query AboutPost($id: ID!) {
    post(id: $id) {
      id text
      author { ...Face }
      detail { __typename ... on PhotoDetail { image { id small: url(width: 320) } } }
    }
  }
`);

const ContentDocument = graphql(`
  query AboutContent($id: ID!) {
    node(id: $id) {
      __typename id
      ... on ContentNode { url summary }
      ... on Photo { image { id small: url(width: 320) } }
      ... on ImagePost { image { id small: url(width: 320) } }
    }
  }
`);

const ProductDocument = graphql(`
  query AboutProduct($id: ID!) {
    node(id: $id) {
      __typename id
      ... on Product { sku price { amount currency } image { id small: url(width: 320) } }
    }
  }
`);

const CharacterDocument = graphql(`
  query AboutCharacter($id: ID!) {
    node(id: $id) { __typename id ... on Character { name class role } }
  }
`);

const words: Readonly<Record<string, readonly [kind: string, icon: IconName]>> = {
  Character: ['Character', 'compass'],
  AudioAlbum: ['Album', 'cart'],
  Film: ['Film', 'cart'],
  GeneralProduct: ['Product', 'cart'],
  Post: ['Post', 'comment'],
  Photo: ['Photo', 'picture'],
  Gallery: ['Gallery', 'picture'],
  ImagePost: ['Picture', 'picture'],
  BlogPost: ['Blog post', 'pen'],
  Blog: ['Blog', 'table'],
  Video: ['Video', 'video'],
  Quote: ['Quote', 'quote'],
  Page: ['Page', 'page'],
  Folder: ['Folder', 'folder'],
};
const CONTENT = ['Folder', 'Blog', 'Gallery', 'Photo', 'Page', 'BlogPost', 'Video', 'ImagePost', 'Quote'];
const PRODUCTS = ['AudioAlbum', 'Film', 'GeneralProduct'];

export interface AboutFacts {
  readonly kind: string;
  readonly icon: IconName;
  readonly title: string;
  /** A few words: the price, the beginning of the text. Empty if there are none. */
  readonly more: string;
  readonly picture: string | null;
  /** Of other objects than posts. */
  readonly href: string | null;
  /** The address is of this dashboard, and opened without a page load. */
  readonly isInside: boolean;
}

/** @returns what a card shows of it; all but the kind and the title may come a moment later */
export function useAbout(about: About): AboutFacts & { readonly isLoading: boolean } {
  const { __typename: type, id } = about;
  const asked = { id };
  const hasContent = useDomain('content') && CONTENT.includes(type);
  const hasProduct = useDomain('commerce') && PRODUCTS.includes(type);
  const content = useData(ContentDocument, hasContent ? asked : null);
  const product = useData(ProductDocument, hasProduct ? asked : null);
  const hasCharacter = useDomain('game') && type === 'Character';
  const character = useData(CharacterDocument, hasCharacter ? asked : null);
  const post = useData(PostDocument, type === 'Post' ? asked : null);
  const [kind, icon] = words[type] ?? ['Object', 'link'];
  const title = 'title' in about ? about.title : kind;
  const plain = { kind, icon, title, more: '', picture: null, href: null, isInside: false };
  const answer = hasContent ? content : hasProduct ? product : hasCharacter ? character : post;
  const isLoading = (hasContent || hasProduct || hasCharacter || type === 'Post') && !answer.data && !answer.error;
  const found = {
    ...(post.data?.post && factsOfPost(post.data.post)),
    ...(character.data?.node && factsOfCharacter(character.data.node)),
    ...(content.data?.node && factsOfContent(content.data.node)),
    ...(product.data?.node && factsOfProduct(product.data.node)),
  };
  return { ...plain, ...found, isLoading };
}

function factsOfPost({ author, text, detail }: NonNullable<AboutPostQuery['post']>): Partial<AboutFacts> {
  const picture = detail?.__typename === 'PhotoDetail' ? detail.image.small : null;
  return { kind: `Post by ${author.name || 'a deleted account'}`, more: text, picture };
}

function factsOfCharacter(node: NonNullable<AboutCharacterQuery['node']>): Partial<AboutFacts> {
  if (node.__typename !== 'Character') return {};
  const { id, name, class: is } = node;
  return {
    title: name,
    more: is.charAt(0) + is.slice(1).toLowerCase(),
    href: `/game/characters/${encodeURIComponent(id)}`,
    isInside: true,
  };
}

function factsOfContent(node: NonNullable<AboutContentQuery['node']>): Partial<AboutFacts> {
  return {
    ...('url' in node && { href: node.url, more: node.summary }),
    ...('image' in node && { picture: node.image?.small ?? null }),
  };
}

function factsOfProduct(node: NonNullable<AboutProductQuery['node']>): Partial<AboutFacts> {
  if (!('sku' in node)) return {};
  const { sku, price, image } = node;
  return {
    more: formatMoney(price),
    picture: image?.small ?? null,
    href: `/shop/p/${encodeURIComponent(sku)}`,
  };
}
