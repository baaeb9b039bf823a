import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseDimension, dimensionless, formatDimension } from "./dimension.ts";
import { exponentOf } from "./exponent.ts";
import { foreignUnits, siBases, siUnits, unitRefusals } from "./names.ts";
import { parseUnit, withKnownUnits } from "./parse.ts";
import { formatScale, type Unit } from "./unit.ts";

const names = withKnownUnits(
  new Map<string, Unit>(
    siBases.map((base) => [base, { dimension: baseDimension(base), scale: dimensionless }]),
  ),
);

function shown(text: string): string {
  const unit = parseUnit(text, names);
  if (!unit.ok) return unit.error.code;
  const { dimension, scale } = unit.value;
  return `${formatScale(scale)} ${formatDimension(dimension, siBases)}`;
}

describe("parseUnit", () => {
  it("defines every unit of the SI by those before it", () => {
    for (const { name } of siUnits) expect(names.has(name), name).toBe(true);
    expect(shown("Ω")).toBe("1 kg·m²·s⁻³·A⁻²");
  });

  it.each([
    ["kg·m/s^2", "1 kg·m·s⁻²"],
    ["kg m s^-2", "1 kg·m·s⁻²"],
    ["kg*m/s/s", "1 kg·m·s⁻²"],
    ["kg·m·s⁻²", "1 kg·m·s⁻²"],
    ["m^(1/2)", "1 m^(1/2)"],
    ["m^( -3 / 6 )", "1 m^(-1/2)"],
    ["1/s", "1 s⁻¹"],
    ["1", "1 1"],
    ["(m/s)^2", "1 m²·s⁻²"],
    ["m/(s·s)", "1 m·s⁻²"],
    ["N/m", "1 kg·s⁻²"],
    ["km", "10^3 m"],
    ["km/h", "2^-1·3^-2·5 m·s⁻¹"],
    ["mm^2", "10^-6 m²"],
    ["dam", "10 m"],
    ["min", "2^2·3·5 s"],
    ["Mt", "10^9 kg"],
    ["g", "10^-3 kg"],
    ["Mg", "10^3 kg"],
    ["0.3048 m", "2^-1·3·5^-4·127 m"],
    ["m/m", "1 1"],
    ["m**2", "1 m²"],
    ["m ** -2", "1 m⁻²"],
    ["m**(1/2)", "1 m^(1/2)"],
    ["deg", "2^-2·3^-2·5^-1·π 1"],
    ["2 π rad", "2·π 1"],
    ["deg/°", "1 1"],
    ["arcsec", "2^-6·3^-4·5^-3·π 1"],
    ["eV/J", "2^-27·3^2·5^-28·19·389·12043 1"],
    ["keV/eV", "10^3 1"],
    ["hPa/mbar", "1 1"],
    ["u", "{Da} kg"],
    ["kDa", "2^3·5^3·{Da} kg"],
    ["au", "2^2·3·5^2·73·877·7789 m"],
    ["ha/hm^2", "1 1"],
    ["%", "10^-2 1"],
    ["mL", "10^-6 m³"],
    ["(km)^(1/2)", "10^(3/2) m^(1/2)"],
  ])("reads %j as %s", (text, meaning) => {
    expect(shown(text)).toBe(meaning);
  });

  it.each([
    ["", "units/syntax"],
    ["m/", "units/syntax"],
    ["m)", "units/syntax"],
    ["(m", "units/syntax"],
    ["2m", "units/syntax"],
    ["-m", "units/syntax"],
    ["m^", "units/exponent"],
    ["m^1/2/", "units/syntax"],
    ["m^(1/0)", "units/exponent"],
    ["m^0.5", "units/syntax"],
    ["m^1001", "units/exponent"],
    ["m⁻", "units/exponent"],
    ["parsec", "units/unknown"],
    ["°C", "units/multiple"],
    ["m/degC", "units/multiple"],
    ["dB", "units/multiple"],
    ["kt", "units/multiple"],
    ["pt", "units/multiple"],
    ["m**", "units/exponent"],
    // A foot, a yard and others are no tonnes, days, hours or minutes with a prefix.
    ...[
      "ft",
      "yd",
      "in",
      "mkg",
      "hbar",
      "mdeg",
      "kau",
      "uu",
      "nt",
      "at",
      "mt",
      "dt",
      "kd",
      "md",
      "kh",
      "mh",
      "dh",
      "kmin",
      "mmin",
    ].map((text): [string, string] => [text, "units/unknown"]),
    ["0 m", "units/factor"],
    ["99999999999999 m", "units/factor"],
  ])("refuses %j with %s", (text, code) => {
    expect(shown(text)).toBe(code);
  });

  it("tells who writes a foot how long it is, and who writes °C why it is none", () => {
    const hintOf = (text: string): string => {
      const unit = parseUnit(text, names);
      return unit.ok ? "" : `${unit.error.message} ${unit.error.hint}`;
    };
    expect(hintOf("ft")).toContain("write 0.3048 m");
    expect(hintOf("°C")).toContain("0 °C is 273.15 K");
    expect(hintOf("at")).toContain("t takes no prefix a");
    for (const [name, text] of foreignUnits) expect(shown(text), name).not.toMatch(/^units/);
    for (const name of unitRefusals.keys()) expect(shown(name)).toBe("units/multiple");
  });

  it("reads back every dimension that is written", () => {
    const exponents = fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...siBases), exponents), (powers) => {
        const dimension = new Map(
          Object.entries(powers).flatMap(([base, [above, below]]) =>
            above === 0 ? [] : [[base, exponentOf(BigInt(above), BigInt(below))] as const],
          ),
        );
        const text = formatDimension(dimension, siBases);
        expect(shown(text)).toBe(`1 ${text}`);
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."kgms·/^()-12⁻²½ \u202e") }), (text) => {
        const unit = parseUnit(text, names);
        if (!unit.ok) expect(unit.error.code).toMatch(/^units\//);
      }),
    );
  });
});
