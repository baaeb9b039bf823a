import { makeBadge } from "badge-maker";
import type { ReportJson } from "../../../spec/wire/index.ts";
import { findingsOf } from "../findings.ts";

/** A badge's content as shields.io reads it. Source: https://shields.io/badges/endpoint-badge. */
export interface ShieldsBadge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** Sums a report up for a badge: the count of new faults, or that all agrees, or that it means nothing. */
export function shieldsBadge(report: ReportJson): ShieldsBadge {
  const findings = findingsOf(report);
  const news = findings.filter(({ isKnown }) => !isKnown);
  const told = (message: string, color: string): ShieldsBadge => ({
    schemaVersion: 1,
    label: "adjudge",
    message,
    color,
  });
  if (news.length > 0) return told(news.length === 1 ? "1 fault" : `${news.length} faults`, "red");
  if (report.engines.length === 0) return told("nothing asked", "lightgrey");
  const unsure = report.engines.find(({ outcome }) => outcome !== "agrees");
  if (unsure !== undefined) return told(unsure.outcome, "yellow");
  const known = findings.length;
  return known > 0 ? told(`agrees, ${known} known`, "green") : told("agrees", "brightgreen");
}

/** Sums a campaign of one engine up for a badge. */
export function shieldsOf(faults: number, questions: number): ShieldsBadge {
  const told = (message: string, color: string): ShieldsBadge => ({
    schemaVersion: 1,
    label: "adjudge",
    message,
    color,
  });
  if (questions === 0) return told("nothing asked", "lightgrey");
  return faults === 0
    ? told("no fault found", "brightgreen")
    : told(faults === 1 ? "1 fault" : `${faults} faults`, "red");
}

/** Returns a badge as SVG. */
export function badgeOf({ label, message, color }: ShieldsBadge): string {
  return `${makeBadge({ label, message, color })}\n`;
}

/** Returns the badge of a report as SVG. */
export function badgeSvg(report: ReportJson): string {
  return badgeOf(shieldsBadge(report));
}
