"""Every rule that this game cites, in our own words, with the place it comes from.

"Rulebook" is that of the James Bond edition, by the heading of its section; a "ruling" is an answer of ours where that
book is silent, most often the one that Hasbro's older rule sheets give.
"""

from whitehall.games.core.rule import Rule

# Who may move what

OWN_PAWN = Rule(
    "CL-SEAT-01",
    "A seat moves its own pawn only.",
    "Chacun ne joue que son propre pion.",
    "rulebook, Déroulement d'un tour",
    permission=True,
)

# Whose turn it is

GAME_IS_OVER = Rule(
    "CL-TURN-01",
    "Once the game is over, nobody plays any more.",
    "Une fois la partie terminée, plus personne ne joue.",
    "rulebook, Fin de la partie et conditions de victoire",
)
IN_TURN = Rule(
    "CL-TURN-02",
    "Seats play in turn, clockwise.",
    "On joue à tour de rôle, dans le sens des aiguilles d'une montre.",
    "rulebook, Déroulement d'un tour",
)
OUT_OF_THE_RUNNING = Rule(
    "CL-TURN-03",
    "Who has accused wrongly takes no turns any more, and only goes on showing cards.",
    "Qui a porté une accusation fausse ne joue plus de tours et continue seulement à montrer ses cartes.",
    "rulebook, Fin de la partie et conditions de victoire",
)
ANSWER_FIRST = Rule(
    "CL-TURN-04",
    "A suggestion is answered before anything else happens.",
    "Une hypothèse reçoit sa réponse avant toute autre action.",
    "rulebook, Déroulement d'un tour",
)
ONE_WAY_TO_MOVE = Rule(
    "CL-TURN-05",
    "A turn begins with one roll, or with one secret passage in place of it.",
    "Un tour commence par un lancer de dés, ou par un passage secret à sa place.",
    "rulebook, Déroulement d'un tour; ruling on secret passages",
)
ROLL_FIRST = Rule(
    "CL-TURN-06",
    "A pawn walks once in a turn, after the dice are rolled.",
    "Un pion avance une fois par tour, après le lancer des dés.",
    "rulebook, Déroulement d'un tour",
)
END_WHEN_MOVED = Rule(
    "CL-TURN-07",
    "A turn is ended once its pawn has moved, or has suggested where it was called in.",
    "On termine son tour une fois son pion déplacé, ou l'hypothèse faite là où il a été appelé.",
    "ruling on the end of a turn",
)

# Dice

SERVICE_ROLLS = Rule(
    "CL-DICE-01",
    "The service rolls, unless the game was made for the table's own dice.",
    "Le service lance les dés, sauf si la partie se joue avec ceux de la table.",
    "ruling on dice",
)
TABLE_ROLLS = Rule(
    "CL-DICE-02",
    "Where the table rolls its own dice, a roll says what they show, 1 to 6 each.",
    "Si la table lance ses propres dés, le lancer dit ce qu'ils montrent, de 1 à 6 chacun.",
    "ruling on dice",
)

# Walking

ALONG_CORRIDORS = Rule(
    "CL-MOVE-01",
    "A pawn walks from square to square along the corridors, never diagonally, and leaves a room through its doors.",
    "Un pion avance de case en case dans les couloirs, jamais en diagonale, et quitte un lieu par ses portes.",
    "rulebook, Déroulement d'un tour",
)
NO_OCCUPIED_SQUARE = Rule(
    "CL-MOVE-02",
    "A pawn never steps on a square where another pawn stands, which also blocks a door.",
    "Un pion n'entre jamais sur une case occupée par un autre, ce qui bloque aussi une porte.",
    "rulebook, Déroulement d'un tour; ruling on blocked doors",
)
NO_SQUARE_TWICE = Rule(
    "CL-MOVE-03",
    "No square is stepped on twice in a turn.",
    "On ne passe pas deux fois sur la même case pendant un tour.",
    "ruling on repeated squares",
)
WHOLE_ROLL = Rule(
    "CL-MOVE-04",
    "A pawn walks as many squares as were rolled, unless it enters a room; where it cannot, as many as it can.",
    "Un pion avance d'autant de cases que de points, sauf s'il entre dans un lieu ; à défaut, le plus loin possible.",
    "rulebook, Déroulement d'un tour; ruling on rolls that cannot be walked",
)
WITHIN_ROLL = Rule(
    "CL-MOVE-05",
    "A pawn walks no farther than was rolled.",
    "Un pion n'avance pas plus loin que les points lancés.",
    "rulebook, Déroulement d'un tour",
)
THROUGH_A_DOOR = Rule(
    "CL-MOVE-06",
    "A room is entered by a step through one of its doors, with a pip left for it.",
    "On entre dans un lieu par une de ses portes, avec un point restant pour ce pas.",
    "rulebook, Déroulement d'un tour; ruling on doors",
)
NOT_BACK_IN = Rule(
    "CL-MOVE-07",
    "A room that was left in this turn is not entered again.",
    "On ne rentre pas pendant un tour dans le lieu que l'on vient de quitter.",
    "ruling on entering the room just left",
)
PASSAGE_LEADS_THERE = Rule(
    "CL-MOVE-08",
    "A secret passage leads from the room where the pawn stands to the one opposite.",
    "Un passage secret mène du lieu où se trouve le pion au lieu opposé.",
    "rulebook, Erreurs fréquentes",
)

# Suggestions

IN_A_ROOM = Rule(
    "CL-SUGGEST-01",
    "A suggestion is made in a room.",
    "Une hypothèse se fait dans un lieu.",
    "rulebook, Erreurs fréquentes",
)
THIS_ROOM = Rule(
    "CL-SUGGEST-02",
    "A suggestion names the room where the pawn stands.",
    "Une hypothèse nomme le lieu où se trouve le pion.",
    "rulebook, Déroulement d'un tour",
)
ON_ARRIVAL = Rule(
    "CL-SUGGEST-03",
    "A suggestion follows the pawn's coming into the room, once: by its own move, or called in since its last turn.",
    "Une hypothèse suit l'arrivée du pion dans le lieu, une fois : de lui-même, ou appelé depuis son dernier tour.",
    "rulebook, Déroulement d'un tour; ruling on pawns called in",
)
CARDS_OF_THE_GAME = Rule(
    "CL-SUGGEST-04",
    "Suspects, weapons and locations are named that the game has.",
    "On nomme des suspects, des armes et des lieux de la partie.",
    "rulebook, Contenu de la boîte",
)

# Answers

WHEN_ASKED = Rule(
    "CL-SHOW-01",
    "A card is shown by the first seat clockwise from the suggester that holds one of the three.",
    "La carte est montrée par le premier joueur, dans le sens horaire, qui en possède une des trois.",
    "rulebook, Déroulement d'un tour",
)
SUGGESTED_CARD = Rule(
    "CL-SHOW-02",
    "The card that is shown is one of the three that were suggested.",
    "La carte montrée est l'une des trois de l'hypothèse.",
    "rulebook, Déroulement d'un tour",
)
OWN_CARD = Rule(
    "CL-SHOW-03",
    "The card that is shown is in the hand of who shows it.",
    "La carte montrée est dans la main de qui la montre.",
    "rulebook, Déroulement d'un tour",
)
WHO_CAN_SHOW_MUST = Rule(
    "CL-SHOW-04",
    "Who can show a card must, and who cannot is passed over without a word of theirs.",
    "Qui peut montrer une carte le doit ; qui ne le peut pas est passé d'office.",
    "rulebook, Déroulement d'un tour; ruling on passing",
)

# Accusations

ACCUSATION_MOMENT = Rule(
    "CL-ACCUSE-01",
    "A seat accuses at the very start of its turn, or when its suggestion has been answered.",
    "On accuse au tout début de son tour, ou après la réponse à son hypothèse.",
    "rulebook, Fin de la partie et conditions de victoire",
)

# The end

RIGHT_ACCUSATION = Rule(
    "CL-END-01",
    "Who names the three cards of the envelope wins at once.",
    "Qui nomme les trois cartes de l'étui gagne immédiatement.",
    "rulebook, Fin de la partie et conditions de victoire",
)
NOBODY_LEFT = Rule(
    "CL-END-02",
    "When everybody has accused wrongly, the game is over and nobody wins.",
    "Quand tous ont porté une accusation fausse, la partie est finie et personne ne gagne.",
    "ruling on games that nobody can win",
)

# Options

KNOWN_PRESET = Rule(
    "CL-OPTION-01",
    "A game is played by one of the presets.",
    "Une partie suit l'une des éditions connues.",
    "ruling on options",
)
TWO_TO_SIX = Rule(
    "CL-OPTION-02",
    "Two to six people play, each with a pawn of their own.",
    "On joue de deux à six, chacun avec son propre pion.",
    "rulebook, Contenu de la boîte; ruling on numbers of players",
)
KNOWN_BOARD = Rule(
    "CL-OPTION-03",
    "The board is one of the catalog.",
    "Le plateau est l'un de ceux du catalogue.",
    "ruling on options",
)
NEUTRAL_FOR_TWO = Rule(
    "CL-OPTION-04",
    "Neutral cards lie open in a game of two only, and leave a card for everybody.",
    "Des cartes neutres ne sont ouvertes qu'à deux joueurs, et il reste une carte pour chacun.",
    "rulebook, Variantes et conseils",
)
DEALT_FIRST = Rule(
    "CL-OPTION-05",
    "The seat that is dealt to first is one of the game.",
    "La première personne servie est l'une de celles de la partie.",
    "rulebook, Mise en place de la partie",
)
CARDS_FOR_ALL = Rule(
    "CL-OPTION-06",
    "There are cards of each kind for the envelope, a card for every seat, and at most 27 in all.",
    "Il y a des cartes de chaque sorte pour l'étui, une carte pour chacun, et au plus 27 en tout.",
    "rulebook, Mise en place de la partie; ruling on decks",
)
START_FOR_ALL = Rule(
    "CL-OPTION-07",
    "Every suspect has a start square, and every location a room of its own.",
    "Chaque suspect a une case de départ, et chaque lieu une pièce à lui.",
    "rulebook, Mise en place de la partie; ruling on themes",
)
NAMES_DIFFER = Rule(
    "CL-OPTION-08",
    "Every card has a name, and no two of one kind have the same.",
    "Chaque carte a un nom, et deux cartes d'une même sorte n'ont pas le même.",
    "ruling on themes",
)

RULES: tuple[Rule, ...] = tuple(value for value in dict(vars()).values() if isinstance(value, Rule))
"""All of them, in the order of this file."""
