/// The place at which a person is asked.
package enum Asker {
  case terminal(Terminal)
  case page(AskingPage)
}
