import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/**
 * Says at the end which suites were skipped, and for want of what. Where everything should be there (CI is
 * set), a skip fails the run.
 */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = new Set(modules.flatMap(skippedIn));
    if (skipped.size === 0) return;
    process.stdout.write(`\n${[...skipped].join("\n")}\n`);
    if (!process.env["CI"]) return;
    process.stdout.write("CI is set, where nothing may be skipped: the run fails.\n");
    process.exitCode = 1;
  }
}

const skippedIn = (module: TestModule): readonly string[] =>
  [...module.children.allTests("skipped")].map(
    (test) => sayingOf(test) ?? `skipped: ${module.relativeModuleId}: ${test.fullName}`,
  );

/** The title that says what was skipped: the test's own, or that of a suite around it. */
const sayingOf = (test: TestCase): string | undefined => {
  let place: TestCase | TestSuite | TestModule = test;
  while (place.type !== "module") {
    if (place.name.startsWith("skipped: ")) return place.name;
    place = place.parent;
  }
  return undefined;
};
