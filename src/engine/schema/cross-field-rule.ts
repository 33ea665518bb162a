import { z } from 'zod';

/**
 * Makes rules between fields. zod skips such a rule when a field is wrong by itself. These rules are
 * always checked, because a person wants to read every fault at once. `viewSchema` reads the fields
 * that the rules look at; it accepts any value in every other field.
 */
export function crossFieldRule<View>(viewSchema: z.ZodType<View>) {
  return (field: string, message: string, holds: (view: View) => boolean) =>
    z.refine(
      (input: unknown) => {
        const view = viewSchema.safeParse(input);
        return !view.success || holds(view.data);
      },
      { path: [field], error: message, when: () => true },
    );
}
