import type { Operation, Operations } from '../../contract/index.js';

/** An input of each operation, as the reference shows it. The tests send them. */
export const EXAMPLES: { readonly [O in Operation]: Operations[O]['input'] } = {
  provisionInstance: {
    projectId: 1,
    regionId: 1,
    instance: {
      name: 'web-1',
      flavor: 'g2-standard-2-4',
      interfaces: [{ type: 'external', ip_family: 'ipv4' }],
      volumes: [
        {
          source: 'image',
          image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
          size: 20,
          boot_index: 0,
          delete_on_termination: true,
        },
      ],
      tags: { team: 'platform' },
    },
  },
  protectIp: {
    projectId: 1,
    regionId: 1,
    profile: { ip_address: '203.0.113.7', profile_template: 12 },
    holdFor: '2 hours',
  },
  listSshKeys: { name: 'ingest' },
  grantSftpAccess: { storageId: 7, keyNames: ['ingest', 'audit'] },
  importVideos: {
    videos: [{ name: 'Interview 7', origin_url: 'https://files.example.com/7.mp4' }],
    tolerate: { count: 1 },
  },
  modifyKvStore: {
    storeId: 17,
    items: [{ op: 'add', key: 'greeting', datatype: 'kv', payload: { value: 'hello' } }],
  },
  deleteInstance: {
    madeBy: 'provision-instance/default/order-4711',
    volumes: 'delete',
    floatingIps: 'delete',
  },
};
