/** simplegrad comes without types; these are for what we use. */
declare module "simplegrad" {
  export class ValueStorage {
    v: Float64Array;
    gv: Float64Array;
    forward(): void;
    backward(): void;
  }
  export class Variable {
    readonly id: number;
    constructor(storage: ValueStorage);
    add(other: Variable | number): Variable;
    sub(other: Variable | number): Variable;
    mul(other: Variable | number): Variable;
    sin(): Variable;
    exp(): Variable;
    log(): Variable;
    compile(): void;
  }
}
