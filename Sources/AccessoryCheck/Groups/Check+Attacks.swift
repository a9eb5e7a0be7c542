extension Check {
    static let attacks: [Check] = []
}
