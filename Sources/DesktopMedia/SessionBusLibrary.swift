internal import Glibc

/// The functions of systemd's library that speak D-Bus. It is loaded when the bus is first used, so neither building nor
/// other uses of the program need it.
struct SessionBusLibrary: Sendable {
    static let name = "libsystemd.so.0"

    typealias Bus = OpaquePointer
    typealias Message = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias Filter = @convention(c) (Message?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CInt

    let openUser: @convention(c) (UnsafeMutablePointer<Bus?>) -> CInt
    let requestName: @convention(c) (Bus, Text, UInt64) -> CInt
    let addFilter: @convention(c) (Bus, UnsafeMutableRawPointer?, Filter, UnsafeMutableRawPointer?) -> CInt
    let process: @convention(c) (Bus, UnsafeMutableRawPointer?) -> CInt
    let wait: @convention(c) (Bus, UInt64) -> CInt
    let close: @convention(c) (Bus) -> Bus?
    let isCall: @convention(c) (Message, Text?, Text?) -> CInt
    let member: @convention(c) (Message) -> Text?
    let interface: @convention(c) (Message) -> Text?
    let path: @convention(c) (Message) -> Text?
    let read: @convention(c) (Message, CChar, UnsafeMutableRawPointer) -> CInt
    let makeReturn: @convention(c) (Message, UnsafeMutablePointer<Message?>) -> CInt
    let makeSignal: @convention(c) (Bus, UnsafeMutablePointer<Message?>, Text, Text, Text) -> CInt
    let refuse: @convention(c) (Message, CInt, UnsafeMutableRawPointer?) -> CInt
    let append: @convention(c) (Message, CChar, UnsafeRawPointer) -> CInt
    let open: @convention(c) (Message, CChar, Text) -> CInt
    let closeContainer: @convention(c) (Message) -> CInt
    let send: @convention(c) (Bus, Message, UnsafeMutablePointer<UInt64>?) -> CInt
    let release: @convention(c) (Message) -> Message?

    private struct Missing: Error {}

    /// Loads the library. Returns `nil` if it isn't there, or lacks a function.
    init?() {
        do {
            self = try Self(loading: ())
        } catch {
            return nil
        }
    }

    private init(loading: Void) throws {
        guard let library = dlopen(Self.name, RTLD_NOW) else { throw Missing() }
        func function<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(library, name) else { throw Missing() }
            return unsafeBitCast(symbol, to: Function.self)
        }
        openUser = try function("sd_bus_open_user")
        requestName = try function("sd_bus_request_name")
        addFilter = try function("sd_bus_add_filter")
        process = try function("sd_bus_process")
        wait = try function("sd_bus_wait")
        close = try function("sd_bus_flush_close_unref")
        isCall = try function("sd_bus_message_is_method_call")
        member = try function("sd_bus_message_get_member")
        interface = try function("sd_bus_message_get_interface")
        path = try function("sd_bus_message_get_path")
        read = try function("sd_bus_message_read_basic")
        makeReturn = try function("sd_bus_message_new_method_return")
        makeSignal = try function("sd_bus_message_new_signal")
        refuse = try function("sd_bus_reply_method_errno")
        append = try function("sd_bus_message_append_basic")
        open = try function("sd_bus_message_open_container")
        closeContainer = try function("sd_bus_message_close_container")
        send = try function("sd_bus_send")
        release = try function("sd_bus_message_unref")
    }
}
