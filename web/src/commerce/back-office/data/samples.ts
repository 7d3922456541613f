/** A small sample catalog for trying things out, created with the public mutations. */
import { graphql } from '../../../../generated/gql.js';
import type { AddCategoryInput, ProductInput } from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import { restock } from './products.js';

const AddSampleCategoryDocument = graphql(`
  mutation AddSampleCategory($input: AddCategoryInput!) {
    addCategory(input: $input) {
      __typename
      ... on Refusal { message }
    }
  }
`);

const SaveSampleProductsDocument = graphql(`
  mutation SaveSampleProducts($products: [ProductInput!]!) {
    saveProducts(products: $products) {
      saved
      rejected { index message }
    }
  }
`);

const categories: readonly AddCategoryInput[] = [
  { slug: 'music', name: 'Music' },
  { slug: 'folk', name: 'Folk', under: 'music' },
  { slug: 'electronic', name: 'Electronic', under: 'music' },
  { slug: 'films', name: 'Films' },
  { slug: 'navigation', name: 'Navigation' },
  { slug: 'instruments', name: 'Instruments', under: 'navigation' },
  { slug: 'charts', name: 'Sea charts', under: 'navigation' },
];

interface Sample {
  readonly product: Omit<ProductInput, 'price' | 'listPrice'>;
  /** In minor units. */
  readonly price: number;
  readonly listPrice?: number;
  readonly units: number;
}

const album = (
  sku: string,
  title: string,
  categories: string[],
  [artist, issuedOn, genres]: [artist: string, issuedOn: string, genres: string[]],
  titles: readonly string[],
): Sample['product'] => ({
  sku,
  title,
  type: 'AUDIO_ALBUM',
  categories,
  album: {
    artist,
    issuedOn,
    genres,
    tracks: titles.map((track, at) => ({ title: track, seconds: 171 + ((at * 67) % 140) })),
  },
});

const goods = (
  type: string,
  sku: string,
  title: string,
  categories: string[],
  properties: Readonly<Record<string, string>>,
): Sample['product'] => ({
  sku,
  title,
  type,
  categories,
  properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
});

const samples: readonly Sample[] = [
  {
    product: album(
      'LP-1001',
      'Songs for a Slack Tide',
      ['folk'],
      ['The Tidewaiters', '2011-09-02', ['Folk', 'Sea shanty']],
      ['Slack Tide', 'Hawser', 'The Pilot’s Wife'],
    ),
    price: 1490,
    listPrice: 1890,
    units: 40,
  },
  {
    product: album(
      'LP-1002',
      'Night Watch',
      ['electronic'],
      ['Aphelion Drift', '2019-03-15', ['Electronic', 'Ambient']],
      ['Dog Watch', 'Noctiluca', 'First Light'],
    ),
    price: 1250,
    units: 12,
  },
  {
    product: album(
      'LP-1003',
      'Élégie pour un phare',
      ['folk', 'electronic'],
      ['Ondine Kerval', '2016-11-25', ['Folk', 'Electronic']],
      ['Le gardien', 'Brume', 'Éclipse du feu'],
    ),
    price: 1690,
    listPrice: 1690,
    units: 1,
  },
  {
    product: {
      sku: 'DVD-2001',
      title: 'The Longitude Prize',
      type: 'FILM',
      categories: ['films'],
      film: {
        directors: ['Maud Ferrand'],
        writers: ['Maud Ferrand', 'Tom Ashgrove'],
        actors: ['Ilse Marrow', 'Tom Ashgrove'],
        genres: ['Drama'],
        issuedOn: '2004-05-14',
        aspectRatio: '2.35:1',
      },
    },
    price: 1299,
    listPrice: 1999,
    units: 25,
  },
  {
    product: {
      sku: 'DVD-2002',
      title: 'Night Ferry to Ostend',
      type: 'FILM',
      categories: ['films'],
      film: {
        directors: ['Jonas Veld'],
        writers: [],
        actors: ['Ilse Marrow'],
        genres: ['Thriller', 'Drama'],
        issuedOn: '1998-10-30',
      },
    },
    price: 999,
    units: 8,
  },
  {
    product: {
      ...goods('INSTRUMENT', 'NAV-3001', 'Brass sextant', ['instruments'], {
        material: 'brass',
        maker: 'Harrow & Sons',
      }),
      description: 'A working replica with a 130° arc and a vernier of 0.2 minutes, in a wooden box.',
      shipping: { weight: 1850, dimensions: { width: 270, height: 140, depth: 250 } },
    },
    price: 28_900,
    listPrice: 34_900,
    units: 6,
  },
  {
    product: {
      ...goods('INSTRUMENT', 'NAV-3002', 'Hand bearing compass', ['instruments'], {
        material: 'rubber',
        maker: 'Polaris Works',
      }),
      shipping: { weight: 240 },
    },
    price: 8950,
    units: 30,
  },
  {
    product: goods('INSTRUMENT', 'NAV-3003', 'Parallel rulers, 45 cm', ['instruments', 'charts'], {
      material: 'acrylic',
      maker: 'Harrow & Sons',
    }),
    price: 2490,
    units: 55,
  },
  {
    product: goods('CHART', 'MAP-4001', 'Chart of the Lesser Skerries', ['charts'], {
      scale: '1:50,000',
      material: 'paper',
    }),
    price: 3200,
    units: 18,
  },
  {
    product: goods('CHART', 'MAP-4002', 'Chart of Fiddler’s Bay', ['charts'], { scale: '1:12,500', material: 'paper' }),
    price: 3200,
    listPrice: 3600,
    units: 0,
  },
];

export const SAMPLES = samples.length;

/**
 * Adds categories, products and stock. Existing data is kept.
 * @returns the error, or null
 */
export async function addSamples(currency: string): Promise<string | null> {
  for (const input of categories) {
    const answer = await mutate(AddSampleCategoryDocument, { input });
    if (typeof answer === 'string') return answer;
    const { addCategory: outcome } = answer;
    if (outcome.__typename === 'CategoryNotFound') return outcome.message; // a taken slug is from an earlier run
  }
  const products = samples.map(({ product, price, listPrice = price }) => ({
    ...product,
    price: { amount: price, currency },
    listPrice: { amount: listPrice, currency },
  }));
  const answer = await mutate(SaveSampleProductsDocument, { products });
  if (typeof answer === 'string') return answer;
  const [rejected] = answer.saveProducts.rejected;
  if (rejected) return rejected.message;
  for (const { product, units } of samples) {
    const refused = units > 0 ? await restock(product.sku, units) : null;
    if (refused !== null) return refused;
  }
  return null;
}
