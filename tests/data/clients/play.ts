// A tournament of sixteen, from its plan to prizes paid in cash, by a client of which every type is generated from the
// description. Words: the address of the site, a director's token. It prints what it did as JSON.
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

declare const process: { argv: [string, string, string, string] };
const [, , site, token] = process.argv;
const client = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${token}` } });
let writes = 0;
client.use({
  onRequest({ request }) {
    writes += request.method === "POST" ? 1 : 0;
    return undefined;
  },
});

/** What was answered; the whole problem document where it was refused. */
function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const header = () => ({ "Idempotency-Key": crypto.randomUUID() });
const me = answered(await client.GET("/api/v1/me/"));
const club_id = me.roles![0]!.club;
const till = `token:${me.token!.id}`;
const club = () => ({ params: { path: { club_id }, header: header() } });

answered(await client.POST("/api/v1/clubs/{club_id}/cash/", { ...club(), body: { event: { kind: "till_opened", till } } }));
const names = ["Asha", "Bo", "Cy", "Dev", "Eli", "Fay", "Gul", "Hari", "Ida", "Jai", "Kim", "Lal", "Mia", "Nur", "Om", "Pia"];
const fours = { smallest_table: 4, largest_table: 4, preferred_table: 4 };
const stages = [{ name: "Qualifying", per_table: 1, ...fours }, { name: "Final", ...fours }];
const tournament = answered(
  await client.POST("/api/v1/clubs/{club_id}/tournaments/set-up/", {
    ...club(),
    body: {
      name: "Sunday pool",
      preset: "pool_101",
      starts_at: "2026-01-18T19:00:00+05:30",
      entry_minor: 20_000,
      fee_bp: 1_000,
      expected: 16,
      plan: { prizes_bp: [6_000, 4_000], stages },
      names,
    },
  }),
);
const tournament_id = tournament.id;
const evening = () => ({ params: { path: { tournament_id }, header: header() } });
const reading = { params: { path: { tournament_id } } };

/** Everything that is ready, for all at once; nobody is left out. */
async function all(act: components["schemas"]["ManyBody"]["act"]) {
  const many = answered(await client.POST("/api/v1/tournaments/{tournament_id}/all/", { ...evening(), body: { act } }));
  if (!many.done.length || many.left_out.length) throw new Error(JSON.stringify(many));
}

const show = { how: "show" as const };
const loses = (count: number) => ({ how: "loss" as const, count });
/** The first seat wins before the second; the other two are out after two deals. */
const outcomes = [
  { "1": show, "2": loses(40), "3": loses(60), "4": loses(70) },
  { "1": show, "2": loses(40), "3": loses(60), "4": loses(70) },
  { "1": show, "2": loses(40) },
];
const deals = outcomes.map((outcomes, at) => ({ kind: "deal_recorded" as const, deal: at + 1, outcomes }));

/** Draws the next round as the plan says, and plays every deal of its tables. */
async function round() {
  const draft = answered(
    await client.POST("/api/v1/tournaments/{tournament_id}/draft/", { ...evening(), body: { seed: "K7QF-2M9X" } }),
  );
  const seated = answered(
    await client.POST("/api/v1/tournaments/{tournament_id}/draft/publish/", {
      ...evening(),
      body: { expected_version: draft.version },
    }),
  );
  for (const table of seated.tables) {
    answered(
      await client.POST("/api/v1/tables/{table_id}/events/all/", {
        params: { path: { table_id: table.id }, header: header() },
        body: { expected_version: table.version, events: deals },
      }),
    );
  }
  await all("close_tables");
}

await all("check_in");
await round();
const cut = answered(await client.GET("/api/v1/tournaments/{tournament_id}/cut/", reading));
if (cut.problems.length || cut.ties.length) throw new Error(JSON.stringify(cut));
answered(await client.POST("/api/v1/tournaments/{tournament_id}/cut/", { ...evening(), body: {} }));
await round();
answered(await client.POST("/api/v1/tournaments/{tournament_id}/close/", { ...evening(), body: {} }));
answered(await client.POST("/api/v1/tournaments/{tournament_id}/settle/", { ...evening(), body: {} }));
const { prizes = [] } = answered(await client.GET("/api/v1/tournaments/{tournament_id}/prizes/", reading));
const amounts = Object.fromEntries(prizes.map((prize) => [prize.player, prize.amount_minor]));
answered(await client.POST("/api/v1/clubs/{club_id}/cash/payouts/", { ...club(), body: { amounts } }));
const board = answered(await client.GET("/api/v1/tournaments/{tournament_id}/leaderboard/", reading));
const winner = board.rows.find((row) => row.place === 1)!.player;
console.log(JSON.stringify({ tournament: tournament_id, writes, amounts, winner }));
