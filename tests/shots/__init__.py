"""Pictures of every page and state, and checks of where everything lies in them: `make shots`."""
