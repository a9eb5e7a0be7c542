// An app that imports only MediaPlayer gets the same modules as from Apple's.
@_exported public import Dispatch
@_exported public import Foundation
