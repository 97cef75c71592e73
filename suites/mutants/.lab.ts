import { variations } from "/work/main/fixtures/sandbox/variations.ts";
import { readChecklist } from "/work/main/suites/checklist.ts";
import { judgeConformant } from "/work/main/suites/mutants/judge.ts";
import { Laboratory } from "/work/main/suites/mutants/laboratory.ts";

const [pattern = "", limit = "1000"] = process.argv.slice(2);
const lab = await Laboratory.open(1);
const checks = readChecklist();
const names = pattern ? pattern.split(",") : variations.map((v) => v.id);
for (const id of names) {
  const vs = variations.filter((v) => id.split("+").includes(v.id));
  try {
    const f = await lab.examine({ variations: vs, checks });
    const j = judgeConformant(f);
    const slow = [...f.results]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, 3)
      .map((r) => `${r.id}:${r.durationMs}`)
      .join(" ");
    console.log(id, f.durationMs, "open", j.open.length, "red", j.red.length, slow);
    for (const c of j.complaints.slice(0, Number(limit))) console.log("   ", c.slice(0, 330));
  } catch (e) {
    console.log(id, "THREW", String(e).slice(0, 300));
  }
}
await lab.close();
