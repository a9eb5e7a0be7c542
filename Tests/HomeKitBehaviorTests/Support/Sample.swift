/// The custom characteristic types in `Fixtures/values.json`, one of each format.
enum Sample {
    static let text = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D01"
    static let bytes = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D02"
    static let items = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D03"
    static let fraction = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D04"
    static let small = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D05"
    static let big = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D06"
    static let order = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D07"
    static let choice = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D08"
    static let sign = "D2A4E9C0-6F0B-4B52-9C34-4A7B0E5C1D09"
}
