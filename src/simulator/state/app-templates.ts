/** The application templates that every region has. Their form is that of the documents; which ones there are is made up. */
export const APP_TEMPLATES = [
  {
    id: 'tf2server',
    display_name: 'Team Fortress 2 server',
    category: 'gaming',
    description: 'A dedicated server of the game.',
    short_description: 'Game server',
    developer: 'Valve',
    website: 'https://games.example.com/tf2',
    usage: 'Connect to the address of the instance.',
    version: '1.0',
    image_name: 'tf2server',
    os_name: 'Ubuntu',
    os_version: '22.04',
    min_disk: 20,
    min_ram: 2048,
    min_vcpus: 2,
    app_config: [
      parameter('rcon_password', 'password'),
      { ...parameter('server_name', 'string'), default: 'Team Fortress' },
      { ...parameter('max_players', 'integer'), required: false },
    ],
  },
] as const;

function parameter(name: string, type: string) {
  const label = name.replace('_', ' ');
  return { name, label, type, description: `The ${label} of the server.`, required: true };
}

export function findAppTemplate(id: string): (typeof APP_TEMPLATES)[number] | undefined {
  return APP_TEMPLATES.find((template) => template.id === id);
}
