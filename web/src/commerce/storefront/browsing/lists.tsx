/** The API's product lists, each with its own index and in the sort orders that the index supports. */
import { graphql } from '../../../../generated/gql.js';
import type { ProductFilter, ProductSort } from '../../../../generated/graphql.js';
import { Empty } from '../../../kit/display/notice.js';
import { ProductPages } from './product-pages.js';

const ProductsDocument = graphql(`
  query ShopProducts($filter: ProductFilter!, $sort: ProductSort, $first: Int!, $after: String) {
    products(filter: $filter, sort: $sort, first: $first, after: $after) {
      edges { node { ...ShelfProduct } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const AlbumsDocument = graphql(`
  query ShopAlbums($genre: String!, $first: Int!, $after: String) {
    albums(genre: $genre, first: $first, after: $after) {
      edges { node { ...ShelfProduct } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const FilmsDocument = graphql(`
  query ShopFilms($actor: String!, $first: Int!, $after: String) {
    films(actor: $actor, first: $first, after: $after) {
      edges { node { ...ShelfProduct } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const CategoryProductsDocument = graphql(`
  query ShopCategoryProducts($slug: String!, $first: Int!, $after: String) {
    category(slug: $slug) {
      id
      products(first: $first, after: $after) {
        edges { node { ...ShelfProduct } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const SearchDocument = graphql(`
  query ShopSearch($text: String!, $first: Int!, $after: String) {
    searchProducts(text: $text, first: $first, after: $after) {
      edges { node { ...ShelfProduct } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const none = { edges: [], pageInfo: { hasNextPage: false } };

const NothingHere = () => (
  <Empty icon="search" title="No products here">
    Try another category or filter.
  </Empty>
);

interface FilteredProductsProps {
  readonly filter: ProductFilter;
  readonly sort: ProductSort | null;
  readonly label: string;
  readonly empty?: React.ReactNode;
}

export const FilteredProducts = ({ filter, sort, label, empty = <NothingHere /> }: FilteredProductsProps) => (
  <ProductPages
    query={ProductsDocument}
    variables={{ filter, sort }}
    connectionOf={({ products }) => products}
    label={label}
    empty={empty}
  />
);

export const AlbumsOfGenre = ({ genre }: { genre: string }) => (
  <ProductPages
    query={AlbumsDocument}
    variables={{ genre }}
    connectionOf={({ albums }) => albums}
    label={genre}
    empty={<NothingHere />}
  />
);

export const FilmsOfActor = ({ actor }: { actor: string }) => (
  <ProductPages
    query={FilmsDocument}
    variables={{ actor }}
    connectionOf={({ films }) => films}
    label={actor}
    empty={<NothingHere />}
  />
);

export const CategoryProducts = ({ slug, name }: { slug: string; name: string }) => (
  <ProductPages
    query={CategoryProductsDocument}
    variables={{ slug }}
    connectionOf={({ category }) => category?.products ?? none}
    label={name}
    empty={<NothingHere />}
  />
);

export const FoundProducts = ({ text }: { text: string }) => (
  <ProductPages
    query={SearchDocument}
    variables={{ text }}
    connectionOf={({ searchProducts }) => searchProducts}
    label={`Results for ${text}`}
    empty={
      <Empty icon="search" title={`No results for “${text}”`}>
        Try another spelling. Case and accents are ignored, and the last word may be incomplete.
      </Empty>
    }
  />
);
