import type { Log } from "sarif";

/**
 * Returns what GitHub's code scanning demands of a SARIF log and does not find. Without a file in each result
 * it refuses the log ("locationFromSarifResult: expected a physical location"); empty texts count as missing;
 * of fingerprints it reads one name. Source: GitHub, "SARIF support for code scanning".
 */
export function demandsUnmet(log: Log): string[] {
  const unmet: string[] = [];
  const demand = (what: string, isMet: boolean): void => {
    if (!isMet) unmet.push(what);
  };
  const isText = (text: string | undefined, most = 1024): boolean =>
    text !== undefined && text.trim() !== "" && text.length <= most;
  for (const { tool, results = [] } of log.runs) {
    const rules = tool.driver.rules ?? [];
    demand("a log has at most 25,000 results and rules", results.length <= 25_000 && rules.length <= 25_000);
    const ids = new Set(rules.map(({ id }) => id));
    demand("rules differ", ids.size === rules.length);
    for (const { id, shortDescription, fullDescription, help } of rules) {
      demand(`${id} has descriptions`, isText(shortDescription?.text) && isText(fullDescription?.text));
      demand(`${id} has help`, isText(help?.text, 10_000));
    }
    for (const { ruleId = "", message, locations = [], partialFingerprints = {} } of results) {
      const place = locations[0]?.physicalLocation;
      const { startLine = 0, startColumn = 0, endLine = 0, endColumn = 0 } = place?.region ?? {};
      demand(`the rule ${ruleId} is there`, ids.has(ruleId));
      demand(`${ruleId} has a message`, isText(message.text, 100_000));
      demand(`${ruleId} has one location`, locations.length === 1);
      demand(`${ruleId} has a file`, /^[^/:][^:]*$/.test(place?.artifactLocation?.uri ?? ""));
      demand(`${ruleId} has a region`, Math.min(startLine, startColumn, endLine, endColumn) >= 1);
      demand(`${ruleId} has a fingerprint`, isText(partialFingerprints.primaryLocationLineHash));
    }
    const prints = results.map((result) => result.partialFingerprints?.primaryLocationLineHash);
    demand("fingerprints differ", new Set(prints).size === results.length);
  }
  return unmet;
}
