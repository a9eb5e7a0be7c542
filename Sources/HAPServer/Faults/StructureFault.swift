/// What a server gets wrong about its structure at a start.
package enum StructureFault: Hashable, Sendable {
    /// The configuration number rises though nothing has changed.
    case configurationNumber
    /// Every service and characteristic has another iid, but for Accessory Information. The configuration number rises.
    case identifiers
}
