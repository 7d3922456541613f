/**
 * The floor of requests: `node:http`, the driver and hand-written JSON, no GraphQL. It answers the benchmark's
 * operations by name: a chart of days by hour, a hit as two upserts, and the category page.
 */
import { createServer } from 'node:http';
import { MongoClient } from 'mongodb';
import { environment, ready } from './process.js';

interface Counters {
  _id: string;
  hourly?: Record<string, number>;
}
interface Category {
  _id: string;
  slug: string;
  name: string;
  ancestors: { slug: string; name: string }[];
}
interface Product {
  _id: string;
  title: string;
  pricing: { list: number; retail: number };
  category_ids: string[];
}
interface Variables {
  readonly site: string;
  readonly page: string;
  readonly from: string;
  readonly to: string;
  readonly ts: string;
  readonly slug: string;
}

const DAY_MS = 86_400_000;
const client = await MongoClient.connect(environment('MONGODB_URI'), { maxPoolSize: 32, writeConcern: { w: 1 } });
const db = client.db(environment('MONGODB_DATABASE'));
const daily = db.collection<Counters>('hits.daily');
const monthly = db.collection<Counters>('hits.monthly');
const categories = db.collection<Category>('categories');
const products = db.collection<Product>('products');

const reference = ({ slug, name }: { readonly slug: string; readonly name: string }) =>
  `{"slug":${JSON.stringify(slug)},"name":${JSON.stringify(name)}}`;

const operations: Readonly<Record<string, (variables: Variables) => Promise<string>>> = {
  async Chart({ site, page, from, to }) {
    const days: string[] = [];
    for (let ms = Date.parse(from); ms < Date.parse(to); ms += DAY_MS)
      days.push(new Date(ms).toISOString().slice(0, 10));
    const ids = days.map((day) => `${day.replaceAll('-', '')}/${site}/${page}`);
    const documents = await daily.find({ _id: { $in: ids } }, { projection: { hourly: 1 } }).toArray();
    const byId = new Map(documents.map(({ _id, hourly }) => [_id, hourly]));
    const points = days.flatMap((day, i) => {
      const hourly = byId.get(ids[i] ?? '');
      return Array.from({ length: 24 }, (_, hour) => {
        const at = `${day}T${String(hour).padStart(2, '0')}:00:00.000Z`;
        return `{"at":"${at}","count":${hourly?.[hour] ?? 0}}`;
      });
    });
    return `{"hitChart":{"points":[${points.join(',')}]}}`;
  },
  async Hit({ site, page, ts }) {
    const at = new Date(ts);
    const [day, month] = [ts.slice(0, 10), ts.slice(0, 7)];
    const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()];
    await Promise.all([
      daily.updateOne(
        { _id: `${day.replaceAll('-', '')}/${site}/${page}` },
        {
          $setOnInsert: { metadata: { date: new Date(day), site, page } },
          $inc: { [`hourly.${hour}`]: 1, [`minute.${hour}.${minute}`]: 1 },
        },
        { upsert: true },
      ),
      monthly.updateOne(
        { _id: `${month.replace('-', '')}/${site}/${page}` },
        {
          $setOnInsert: { metadata: { date: new Date(`${month}-01`), site, page } },
          $inc: { [`daily.${at.getUTCDate()}`]: 1 },
        },
        { upsert: true },
      ),
    ]);
    return '{"recordHit":{"recorded":1}}';
  },
  async Page({ slug }) {
    const category = await categories.findOne({ slug }, { projection: { name: 1, ancestors: 1 } });
    if (!category) return '{"category":null}';
    const listed = await products
      .find({ category_ids: category._id }, { projection: { title: 1, pricing: 1, category_ids: 1 } })
      .sort({ _id: 1 })
      .limit(20)
      .toArray();
    const wanted = [...new Set(listed.flatMap(({ category_ids }) => category_ids))];
    const found = await categories.find({ _id: { $in: wanted } }, { projection: { slug: 1, name: 1 } }).toArray();
    const texts = new Map(found.map((each) => [each._id, reference(each)]));
    const cards = listed.map(({ _id, title, pricing: { list, retail }, category_ids }) => {
      const around = category_ids.map((id) => texts.get(id)).join(',');
      return `{"sku":${JSON.stringify(_id)},"title":${JSON.stringify(title)},"pricing":{"list":${list},"retail":${retail}},"categories":[${around}]}`;
    });
    const way = category.ancestors.map(reference).join(',');
    return `{"category":{"name":${JSON.stringify(category.name)},"ancestors":[${way}],"products":[${cards.join(',')}]}}`;
  },
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { operationName, variables } = JSON.parse(Buffer.concat(chunks).toString());
    const text = `{"data":${await operations[operationName]?.(variables)}}`;
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) };
    response.writeHead(200, headers).end(text);
  });
});
server.listen(0, '127.0.0.1', 4096, () => ready(server));
