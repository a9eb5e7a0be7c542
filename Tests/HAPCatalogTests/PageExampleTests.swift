import HAPCatalog
import Testing

// The example of Sources/HAPCatalog/HAPCatalog.docc/HAPCatalog.md. A test looks for every block of that page in this file.

func brightness(_ percent: Int64) throws -> CharacteristicValue? {
    guard let definition = CharacteristicDefinition.named("Brightness") else { return nil }
    return try definition.metadata.validate(.integer(percent))
}

@Suite struct PageExampleTests {
    @Test func theExampleChecksAValue() throws {
        #expect(try brightness(40) == .integer(40))
        #expect(throws: CharacteristicValueError.self) { try brightness(101) }
    }
}
