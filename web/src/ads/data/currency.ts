/** The store's only currency, in which all prices and budgets are. */
import { graphql } from '../../../generated/gql.js';
import { useData } from '../../api/use-data.js';

const CurrencyDocument = graphql(`
  query AdCurrency { storeCurrency }
`);

const nothing = {};

/** Empty until the server has answered. */
export const useCurrency = (): string => useData(CurrencyDocument, nothing).data?.storeCurrency ?? '';
