import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

import { SearchAttribute } from '../../../src/contract/wire/names.js';
import { until } from '../timing/until.js';
import type { CliWorld } from './cli-world.js';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
  proto.temporal.api.enums.v1.IndexedValueType;

/** Gives the namespace of a world the search attributes, and waits until the server knows them. */
export async function createAttributes({
  address,
  namespace,
}: Pick<CliWorld, 'address' | 'namespace'>): Promise<void> {
  const connection = await Connection.connect({ address });
  const { operatorService } = connection;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: {
      [SearchAttribute.phase]: INDEXED_VALUE_TYPE_KEYWORD,
      [SearchAttribute.account]: INDEXED_VALUE_TYPE_KEYWORD,
      [SearchAttribute.resourceId]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
      [SearchAttribute.labels]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
    },
  });
  await until('the server knows the attributes', async () => {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return Object.values(SearchAttribute).every((name) => name in customAttributes);
  });
  await connection.close();
}
