/** Ten products in a few categories, with stock, for tests of the shop in a browser. */
import type { Product } from '../../../harness/product.js';

const categories: readonly { readonly slug: string; readonly name: string; readonly under?: string }[] = [
  { slug: 'music', name: 'Music' },
  { slug: 'folk', name: 'Folk', under: 'music' },
  { slug: 'electronic', name: 'Electronic', under: 'music' },
  { slug: 'films', name: 'Films' },
  { slug: 'navigation', name: 'Navigation' },
  { slug: 'instruments', name: 'Instruments', under: 'navigation' },
  { slug: 'charts', name: 'Sea charts', under: 'navigation' },
];

interface Sample {
  readonly product: Readonly<Record<string, unknown>> & { readonly sku: string };
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

/** Adds them to an empty shop. */
export async function fillShop({ request }: Pick<Product, 'request'>): Promise<void> {
  const send = async (query: string, variables: Readonly<Record<string, unknown>>) => {
    const { errors } = await request(query, variables);
    if (errors) throw new Error(JSON.stringify(errors));
  };
  for (const input of categories)
    await send('mutation ($input: AddCategoryInput!) { addCategory(input: $input) { __typename } }', { input });
  const currency = 'EUR';
  const products = samples.map(({ product, price, listPrice = price }) => ({
    ...product,
    price: { amount: price, currency },
    listPrice: { amount: listPrice, currency },
  }));
  await send('mutation ($products: [ProductInput!]!) { saveProducts(products: $products) { saved } }', { products });
  for (const { product, units } of samples)
    if (units > 0)
      await send(
        'mutation ($sku: String!, $quantity: Int!) { restock(sku: $sku, quantity: $quantity) { __typename } }',
        {
          sku: product.sku,
          quantity: units,
        },
      );
}
